-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Zipf's distribution on a range of integers: the k-th has a probability that
-- falls with k^-exponent. sysbench 1.0 has none; later ones draw from the same
-- distribution, the first number of the range being the likeliest.
--
-- Method: W. Hoermann, G. Derflinger, "Rejection-inversion to generate variates
-- from monotone discrete distributions", ACM TOMACS 6.3 (1996) 169-184. A
-- continuous hat over the histogram is inverted; a draw is thrown away if it
-- lies above its bar, which is seldom (one in ten at the worst). No tables, so
-- that a range may have any size.

local exp, floor, log = math.exp, math.floor, math.log

-- Integral of the hat x^-q, its inverse. Near q = 1 the limit is used.
local function hat_of(q)
	local p = 1 - q

	if math.abs(p) < 1e-7 then
		return log, exp
	end
	return function(x)
		return (exp(p * log(x)) - 1) / p
	end, function(y)
		-- Below -1 by rounding only.
		return exp(log(math.max(1 + p * y, 0)) / p)
	end
end

local zipfian = {}

-- A function of (first, last) that draws; uniform() gives a number of [0, 1).
function zipfian.new(q, uniform)
	if not (q > 0 and q < 1e3) then
		error("a Zipf exponent must be above 0", 0)
	end
	local integral, inverse = hat_of(q)
	local low = integral(1.5) - 1
	-- Closer than this to k from below, a draw is always under the bar.
	local sure = 2 - inverse(integral(2.5) - exp(-q * log(2)))
	local last_n, high

	return function(first, last)
		local n = last - first + 1

		if n ~= last_n then
			last_n, high = n, integral(n + 0.5)
		end
		while true do
			local u = high + uniform() * (low - high)
			local x = inverse(u)
			local k = math.min(math.max(floor(x + 0.5), 1), n)

			if k - x <= sure or
				u >= integral(k + 0.5) - exp(-q * log(k)) then
				return first + k - 1
			end
		end
	end
end

return zipfian
