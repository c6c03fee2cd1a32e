-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A built-in test of sysbench (mutex, memory, threads) under a hook: hooks are
-- called for scripts alone, so this is one, and puts the functions of the
-- built-in test in the place of its own before the threads start. What is
-- timed is sysbench's own code, without any Lua in it.
--
-- THPBENCH_BUILTIN  mutex, memory or threads; their options are those that
--                   sysbench has for them
--
-- Prints one line of JSON at the end:
--   test threads seconds events mean_us events_per_s, of memory mib_per_s
-- seconds are those of sysbench's own report, mean_us the mean time of an
-- event; an event of mutex is all that one thread does.

local ffi = require("ffi")
local C = ffi.C

-- src/sysbench.h and src/sb_list.h of sysbench 1.0.
ffi.cdef [[
struct thpbench_list {
	struct thpbench_list *next;
	struct thpbench_list *prev;
};
struct thpbench_ops {
	int (*init)(void);
	void *prepare, *thread_init, *print_mode, *next_event, *execute_event;
	void *report_intermediate, *report_cumulative;
	void *thread_run, *thread_done, *cleanup, *done;
};
struct thpbench_test {
	const char *sname;
	const char *lname;
	struct thpbench_ops ops;
	void *commands[4];
	void *args;
	struct thpbench_list listitem;
};
extern struct thpbench_test *current_test;
int register_test_mutex(struct thpbench_list *);
int register_test_memory(struct thpbench_list *);
int register_test_threads(struct thpbench_list *);
uint64_t sb_get_value_size(const char *);
]]

local TESTS = { mutex = true, memory = true, threads = true }
-- All but the reports and the end, which stay those of the script.
local TAKEN = { "prepare", "thread_init", "print_mode", "next_event",
	"execute_event", "thread_run", "thread_done" }

local name = os.getenv("THPBENCH_BUILTIN")

if not TESTS[name] then
	error("THPBENCH_BUILTIN is none of mutex, memory, threads", 0)
end
if not tostring(sysbench.version):match("^1%.0%.") then
	error("sysbench " .. tostring(sysbench.version) .. ": its built-in " ..
		"tests are known of 1.0 alone", 0)
end

-- As sysbench 1.0 declares them, with its defaults.
sysbench.cmdline.options = {
	mutex_num = { "total size of mutex array", 4096 },
	mutex_locks = { "number of mutex locks to do per thread", 50000 },
	mutex_loops = { "number of empty loops to do outside mutex lock", 10000 },
	thread_yields = { "number of yields to do per request", 1000 },
	thread_locks = { "number of locks per thread", 8 },
	memory_block_size = { "size of memory block for test", "1K" },
	memory_total_size = { "total size of data to transfer", "100G" },
	memory_scope = { "memory access scope", "global" },
	memory_hugetlb = { "allocate memory from HugeTLB pool", false },
	memory_oper = { "type of memory operations", "write" },
	memory_access_mode = { "memory access mode", "seq" },
}

local function find_test()
	local head = ffi.new("struct thpbench_list")

	head.next = head
	head.prev = head
	C["register_test_" .. name](head)
	local item = ffi.cast("char *", head.next)
	local test = ffi.cast("struct thpbench_test *",
		item - ffi.offsetof("struct thpbench_test", "listitem"))

	if ffi.string(test.sname) ~= name then
		error("this sysbench keeps its tests otherwise than 1.0", 0)
	end
	return test
end

-- Its init() chooses among functions, so that they are taken behind it.
function init()
	local test = find_test()
	local ops = C.current_test.ops

	if test.ops.init() ~= 0 then
		error("sysbench refuses the options of " .. name, 0)
	end
	for _, op in ipairs(TAKEN) do
		ops[op] = test.ops[op]
	end
end

-- Without one a script has no test to run; it is not called.
function event()
	error("the script's own event was called", 0)
end

sysbench.hooks.report_cumulative = function(stat)
	local seconds = stat.time_interval
	local cells = {
		('"test": "%s"'):format(name),
		('"threads": %d'):format(sysbench.opt.threads or 0),
		('"seconds": %.9f'):format(seconds),
		('"events": %.0f'):format(stat.events),
	}

	if stat.events > 0 then
		cells[#cells + 1] = ('"mean_us": %.3f'):format(
			1e6 * stat.latency_sum / stat.events)
	end
	if seconds > 0 then
		cells[#cells + 1] = ('"events_per_s": %.6f'):format(
			stat.events / seconds)
	end
	if seconds > 0 and name == "memory" then
		local block = tonumber(C.sb_get_value_size("memory-block-size"))

		cells[#cells + 1] = ('"mib_per_s": %.6f'):format(
			stat.events * block / seconds / 1048576)
	end
	io.write("{ ", table.concat(cells, ", "), " }\n")
end
