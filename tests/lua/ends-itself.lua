-- SPDX-License-Identifier: GPL-3.0-or-later
-- A script that ends after 1000 events of each thread, unasked.
local n = 0

sysbench.cmdline.options = {
	tables = { "", 1 },
	table_size = { "", 1 },
}

function event()
	n = n + 1
	return n > 1000
end
