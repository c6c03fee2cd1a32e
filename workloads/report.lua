-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What thpbench gives to sysbench (1.0.20 and later) in place of a script: it
-- loads the real one, reports each second in a form made for programs, and
-- ends when it is asked to.
--
-- THPBENCH_SCRIPT   the script: a name (oltp_read_only, hot-range) looked for
--                   beside this file, then where sysbench keeps its own; or a
--                   path
-- THPBENCH_CONTROL  FD:BYTES of a shared page (struct page below); without it
--                   (prepare) nothing is reported
-- THPBENCH_ZIPFIAN  exponent of a Zipf distribution that takes the place of
--                   --rand-type
--
-- Lines on fd 3, cells parted by tabs, "-" for a figure that does not exist:
--   line   AT INTERVAL THREADS TRANSACTIONS READS WRITES OTHERS P95 AVG MAX
--          ERRORS RECONNECTS
--   final  AT SECONDS TRANSACTIONS
-- AT is CLOCK_MONOTONIC in seconds at the end of the interval, INTERVAL in
-- seconds, latencies in ms, the rest counts within the interval.
--
-- sysbench reports no interval for what is left when it ends. The last line is
-- made here: its time and queries are the totals less what earlier lines said,
-- but its transactions are counted by ourselves, event by event. So the sum of
-- all lines is a second count, which must equal sysbench's own.

local ffi = require("ffi")
local C = ffi.C

ffi.cdef [[
struct thpbench_sums {
	double seconds, transactions, reads, writes, others;
	double errors, reconnects;
};
/* One for each thread, on a cache line of its own. */
struct thpbench_slot {
	double transactions;
	double unused[7];
};
struct thpbench_page {
	uint32_t stop;               /* written by thpbench: 1 means end */
	uint32_t is_final;           /* the final line is out */
	uint64_t mutex[15];          /* a pthread_mutex_t; zeros are unlocked */
	struct thpbench_sums sums;   /* over the lines so far */
	uint8_t unused[3912];
	struct thpbench_slot slots[];
};
struct thpbench_time {
	long s;
	long ns;
};
void *mmap(void *, size_t, int, int, int, long);
long write(int, const void *, size_t);
int clock_gettime(int, struct thpbench_time *);
int pthread_mutex_lock(void *);
int pthread_mutex_unlock(void *);
int pthread_setcancelstate(int, int *);
]]

local REPORT_FD = 3
local CLOCK_MONOTONIC = 1
local PROT_READ_WRITE = 3
local MAP_SHARED = 1
local CANCEL_DISABLE = 1
local SUMS = { "seconds", "transactions", "reads", "writes", "others",
	"errors", "reconnects" }

local here = debug.getinfo(1, "S").source:match("^@(.*)/[^/]*$") or "."

-- Scripts come from here and from sysbench's own folders, never from the
-- folder that we happen to run in.
local function set_path()
	local kept = (";" .. package.path):gsub(";%.[^;]*", "")

	package.path = here .. "/?.lua" .. kept
end

local function find_script(name)
	if name:find("/", 1, true) or name:match("%.lua$") then
		return name
	end
	return package.searchpath(name, package.path) or
		error("no script " .. name .. " here or among sysbench's own", 0)
end

-- The stock thread_run() ends when event() returns a true value; one that a
-- script brings along may not.
local function load_script(name)
	local stock = thread_run

	dofile(find_script(name))
	if thread_run ~= stock then
		error(name .. " defines its own thread_run(): it could not " ..
			"be asked to stop", 0)
	end
end

-- The shared page, and how many slots it has.
local function map_page(text)
	local fd, bytes = text:match("^(%d+):(%d+)$")
	local head = ffi.offsetof("struct thpbench_page", "slots")

	if not fd then
		error("THPBENCH_CONTROL is not FD:BYTES", 0)
	end
	local page = C.mmap(nil, tonumber(bytes), PROT_READ_WRITE, MAP_SHARED,
		tonumber(fd), 0)

	if ffi.cast("intptr_t", page) == -1 then
		error("cannot map the control page", 0)
	end
	return ffi.cast("struct thpbench_page *", page),
		(tonumber(bytes) - head) / ffi.sizeof("struct thpbench_slot")
end

-- A true result makes thread_run() end without counting the event. Where the
-- loop is interpreted a field of a C struct costs 100 ns, so the flag is read
-- through a plain pointer and the count is handed over at the end: together
-- they cost less than can be told from none.
local function wrap_event(page)
	local inner = event
	local stop = ffi.cast("volatile uint32_t *", page)
	local slot = page.slots[sysbench.tid]
	local transactions = 0

	event = function(thread_id)
		local result = stop[0] ~= 0 or inner(thread_id)

		if result then
			slot.transactions = transactions
			return result
		end
		transactions = transactions + 1
	end
end

local function seconds_now()
	local t = ffi.new("struct thpbench_time")

	C.clock_gettime(CLOCK_MONOTONIC, t)
	return tonumber(t.s) + tonumber(t.ns) / 1e9
end

local function say(...)
	local text = table.concat({ ... }, "\t") .. "\n"

	C.write(REPORT_FD, text, #text)
end

local function line(s, threads, p95, avg)
	say("line", ("%.6f"):format(seconds_now()), ("%.9f"):format(s.seconds),
		("%d\t%.0f"):format(threads, s.transactions),
		("%.0f\t%.0f\t%.0f"):format(s.reads, s.writes, s.others),
		p95, avg, "-", ("%.0f\t%.0f"):format(s.errors, s.reconnects))
end

local function sums_of(stat)
	return { seconds = stat.time_interval, transactions = stat.events,
		reads = stat.reads, writes = stat.writes, others = stat.other,
		errors = stat.errors, reconnects = stat.reconnects }
end

-- The mean time in a closed loop of busy threads, by Little's law. With
-- --rate threads also wait for work, and it is not known.
local function average_ms(stat)
	if stat.events == 0 or stat.threads_running == 0 or
		(sysbench.opt and (sysbench.opt.rate or 0) > 0) then
		return "-"
	end
	return ("%.6f"):format(1000 * stat.threads_running *
		stat.time_interval / stat.events)
end

-- Both hooks may run at once at the end, in two threads. Whichever comes
-- first, every count is in exactly one line: an interval that comes behind
-- the final line is in its rest already. Being cancelled within write() would
-- unwind through Lua.
local function locked(page, f)
	return function(stat)
		C.pthread_setcancelstate(CANCEL_DISABLE, nil)
		C.pthread_mutex_lock(page.mutex)
		if page.is_final == 0 then
			f(stat)
		end
		C.pthread_mutex_unlock(page.mutex)
		C.pthread_setcancelstate(0, nil)
	end
end

local function intermediate(page)
	return locked(page, function(stat)
		local s = sums_of(stat)
		local p95 = stat.events > 0 and
			("%.6f"):format(stat.latency_pct * 1000) or "-"

		for _, name in ipairs(SUMS) do
			page.sums[name] = page.sums[name] + s[name]
		end
		line(s, stat.threads_running, p95, average_ms(stat))
	end)
end

local function cumulative(page, threads)
	return locked(page, function(stat)
		local rest = sums_of(stat)

		rest.transactions = 0
		for i = 0, threads - 1 do
			rest.transactions = rest.transactions +
				page.slots[i].transactions
		end
		for _, name in ipairs(SUMS) do
			rest[name] = rest[name] - page.sums[name]
		end
		line(rest, threads, "-", "-")
		say("final", ("%.6f"):format(seconds_now()),
			("%.9f"):format(stat.time_interval),
			("%.0f"):format(stat.events))
		page.is_final = 1
	end)
end

local function use_zipfian(exponent)
	local zipfian = require("zipfian").new(exponent,
		sysbench.rand.uniform_double)

	sysbench.rand.default = zipfian
	sb_rand = zipfian -- its old name
end

local control = os.getenv("THPBENCH_CONTROL")
local exponent = os.getenv("THPBENCH_ZIPFIAN")

set_path()
load_script(os.getenv("THPBENCH_SCRIPT") or
	error("THPBENCH_SCRIPT names no script", 0))
if exponent then
	use_zipfian(tonumber(exponent) or
		error("THPBENCH_ZIPFIAN is no number", 0))
end
if control then
	local page, threads = map_page(control)

	if event then
		wrap_event(page)
	end
	sysbench.hooks.report_intermediate = intermediate(page)
	sysbench.hooks.report_cumulative = cumulative(page, threads)
end
