-- SPDX-License-Identifier: GPL-3.0-or-later
-- workloads/zipfian.lua against Zipf's law: frequencies of many draws, with a
-- generator of our own, so that each run of this test draws the same.
package.path = "workloads/?.lua;" .. package.path

local zipfian = require("zipfian")

-- Park, Miller: "Random number generators: good ones are hard to find", 1988.
local seed = 20260101

local function uniform()
	seed = seed * 16807 % 2147483647
	return (seed - 1) / 2147483646
end

local n_tests = 0

local function check(good, name)
	n_tests = n_tests + 1
	print((good and "ok " or "not ok ") .. n_tests .. " - " .. name)
end

-- Pearson's chi-squared in standard deviations from its mean; classes with
-- less than ten draws expected are put together.
local function deviation(counts, n_draws, q, n)
	local total, sum, n_classes = 0, 0, 0
	local seen, expected = 0, 0

	for k = 1, n do
		total = total + k ^ -q
	end
	for k = 1, n do
		seen = seen + (counts[k] or 0)
		expected = expected + n_draws * k ^ -q / total
		if expected >= 10 or k == n then
			sum = sum + (seen - expected) ^ 2 / expected
			n_classes = n_classes + 1
			seen, expected = 0, 0
		end
	end
	return (sum - (n_classes - 1)) / math.sqrt(2 * (n_classes - 1))
end

local function check_law(q, first, last, n_draws)
	local draw = zipfian.new(q, uniform)
	local counts, outside = {}, 0

	for _ = 1, n_draws do
		local k = draw(first, last)

		if k < first or k > last or k ~= math.floor(k) then
			outside = outside + 1
		end
		counts[k - first + 1] = (counts[k - first + 1] or 0) + 1
	end

	local z = deviation(counts, n_draws, q, last - first + 1)
	local name = ("exponent %g, %d to %d"):format(q, first, last)

	check(outside == 0, name .. ": none outside")
	check(math.abs(z) < 4, ("%s: %.1f deviations"):format(name, z))
	return z
end

check_law(0.8, 1, 1000, 300000)
check_law(1, 1, 1000, 300000)
check_law(1.0000001, 1, 1000, 300000)
check_law(0.3, 1, 100, 300000)
check_law(3, 5, 60, 300000)
check_law(0.8, 1, 3000000, 300000)

-- The test can fail: a wrong exponent is far off.
do
	local draw, counts = zipfian.new(0.8, uniform), {}

	for _ = 1, 300000 do
		local k = draw(1, 1000)

		counts[k] = (counts[k] or 0) + 1
	end
	check(deviation(counts, 300000, 0.85, 1000) > 10,
		"another exponent is seen")
end

do
	local draw = zipfian.new(0.8, uniform)

	check(draw(7, 7) == 7, "a range of one")
	draw(1, 10)
	local most = 0

	for _ = 1, 10000 do
		most = math.max(most, draw(1, 2))
	end
	check(most == 2, "another range with the same generator")
end

for _, bad in ipairs({ 0, -1, 0 / 0, math.huge }) do
	check(not pcall(zipfian.new, bad, uniform),
		"exponent " .. bad .. " is refused")
end

print("1.." .. n_tests)
