-- SPDX-License-Identifier: GPL-3.0-or-later
-- A script with an event loop of its own, which report.lua must refuse.
function event() end
function thread_run() while true do event() end end
