-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- oltp_read_only with a narrow hot range inside each large table: hot_share %
-- of the requests begin in hot_range % of its rows, which lie together; the
-- others begin anywhere else, uniformly. Rows are stored by their id, so the
-- hot rows are a contiguous run of pages: a small hot part of one big mapping.

if sysbench.cmdline.command == nil then
	error("hot-range needs a command: prepare or run")
end

dofile(package.searchpath("oltp_read_only", package.path))

sysbench.cmdline.options.hot_share =
	{ "Per cent of the requests that begin in the hot range", 90 }
sysbench.cmdline.options.hot_range =
	{ "Size of the hot range, in per cent of a table's rows", 5 }
sysbench.cmdline.options.hot_start =
	{ "Where the hot range begins, in per cent of a table's rows", 40 }

local hot

-- The hot range of a table of n rows: as ids, at least one row.
local function hot_range(n)
	local o = sysbench.opt
	local size = math.max(math.floor(n * o.hot_range / 100 + 0.5), 1)
	local first = math.min(math.floor(n * o.hot_start / 100) + 1,
		n - size + 1)

	return { share = o.hot_share / 100, first = first, size = size, n = n }
end

local function check_options()
	local o = sysbench.opt

	assert(o.hot_share >= 0 and o.hot_share <= 100,
		"hot_share must be 0 to 100")
	assert(o.hot_range > 0 and o.hot_range < 100,
		"hot_range must be above 0 and below 100")
	assert(o.hot_start >= 0 and o.hot_start + o.hot_range <= 100,
		"hot_start and hot_range together exceed 100")
end

-- a is 1 and b the table's size wherever oltp_common asks.
function sysbench.rand.default(a, b)
	local n = b - a + 1

	if not hot or hot.n ~= n then
		check_options()
		hot = hot_range(n)
	end
	if hot.size == n then
		return sysbench.rand.uniform(a, b)
	end
	if sysbench.rand.uniform_double() < hot.share then
		return a - 1 + sysbench.rand.uniform(hot.first,
			hot.first + hot.size - 1)
	end
	-- One of the others: those behind the hot range are moved over it.
	local id = sysbench.rand.uniform(1, n - hot.size)

	return a - 1 + (id < hot.first and id or id + hot.size)
end
