-- SPDX-License-Identifier: GPL-3.0-or-later
-- workloads/hot-range.lua: who draws which rows, in the real sysbench.
sysbench.cmdline.command = "run"
package.path = "workloads/?.lua;" .. package.path

local n_tests = 0

local function check(good, name)
	n_tests = n_tests + 1
	print((good and "ok " or "not ok ") .. n_tests .. " - " .. name)
end

local function load(share, range, start)
	dofile("workloads/hot-range.lua")
	sysbench.opt = { hot_share = share, hot_range = range,
		hot_start = start }
end

-- Draws from 1 to n: how many fell into first..last, the smallest and the
-- largest of them all, and the most that one row got.
local function draw(n, n_draws, first, last)
	local counts, hits, least, most, peak = {}, 0, n, 1, 0

	for _ = 1, n_draws do
		local id = sysbench.rand.default(1, n)

		counts[id] = (counts[id] or 0) + 1
		peak = math.max(peak, counts[id])
		least, most = math.min(least, id), math.max(most, id)
		if id >= first and id <= last then
			hits = hits + 1
		end
	end
	return { hits = hits, least = least, most = most, peak = peak }
end

-- Within six standard deviations: sysbench seeds itself by the clock.
local function near(hits, n_draws, share)
	return math.abs(hits - n_draws * share) <=
		6 * math.sqrt(n_draws * share * (1 - share))
end

local N = 200000
local d

load(90, 5, 50)
d = draw(1000, N, 476, 525)
check(near(d.hits, N, 0.9), "90 % of the draws fall into the middle 5 %")
check(d.least == 1 and d.most == 1000, "the others reach both ends")
check(d.peak < 2 * N * 0.9 / 50, "no hot row stands out")
d = draw(1000, N, 476, 500)
check(near(d.hits, N, 0.45), "half of them into its first half")
d = draw(1000, N, 1, 475)
check(near(d.hits, N, 0.05), "the others fall evenly before it")
d = draw(1000, N, 526, 1000)
check(near(d.hits, N, 0.05), "and behind it")
d = draw(200, N, 96, 105)
check(near(d.hits, N, 0.9), "a table of another size has its own range")

load(75, 10, 0)
d = draw(1000, N, 1, 100)
check(near(d.hits, N, 0.75), "at the front")
load(75, 10, 100)
d = draw(1000, N, 901, 1000)
check(near(d.hits, N, 0.75), "at the end")

load(100, 1, 30)
d = draw(1000, N, 298, 307)
check(d.hits == N, "all of them in the hot range")
load(0, 10, 0)
d = draw(1000, N, 1, 100)
check(d.hits == 0, "none of them in the hot range")

load(90, 0.001, 50)
d = draw(1000, N, 500, 500)
check(near(d.hits, N, 0.9), "at least one row is hot")
load(90, 100, 50)
d = draw(1000, N, 1, 500)
check(near(d.hits, N, 0.5), "a range that is the whole table")

for _, bad in ipairs({ { 101, 5, 0 }, { -1, 5, 0 }, { 90, 101, 0 },
	{ 90, 5, 101 } }) do
	load(bad[1], bad[2], bad[3])
	check(not pcall(sysbench.rand.default, 1, 1000),
		("share %g, range %g, start %g is refused"):format(bad[1],
			bad[2], bad[3]))
end

print("1.." .. n_tests)
