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
	{ "Size of the hot range, in per cent of a table's rows", 10 }
sysbench.cmdline.options.hot_start =
	{ "Where it lies: from 0, the first rows, to 100, the last ones", 50 }

local hot

local function percentage(name)
	local value = sysbench.opt[name]

	if value < 0 or value > 100 then
		error(name .. " must be a percentage", 0)
	end
	return value / 100
end

-- The hot range of a table of n rows: as ids, at least one row.
local function hot_range(n)
	local size = math.floor(n * percentage("hot_range") + 0.5)

	size = math.max(size, 1)
	return { n = n, size = size, share = percentage("hot_share"),
		first = 1 + math.floor((n - size) * percentage("hot_start")) }
end

-- a is 1 and b the table's size wherever oltp_common asks.
function sysbench.rand.default(a, b)
	local n = b - a + 1

	if not hot or hot.n ~= n then
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
