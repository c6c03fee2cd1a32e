/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process with a buffer pool, and starting schemes on it. */
#ifndef TESTS_UNIT_DAMOS_FIXTURE_H
#define TESTS_UNIT_DAMOS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <math.h>

#include "base/clock.h"
#include "base/err.h"
#include "bench/damos/damos_parts.h"
#include "bench/guard/journal.h"
#include "damon_sim.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

enum { PID = 4711 };

#define SCHEME "0/contexts/0/schemes/0"

static const char meminfo[] = "MemTotal:        2048000 kB\n"
			      "MemFree:         1024000 kB\n"
			      "AnonHugePages:     81920 kB\n"
			      "ShmemHugePages:    20480 kB\n"
			      "FileHugePages:         0 kB\n";

/* A pool of two neighbours and one far away, among smaller things. */
static const char smaps[] =
	"10000000-10400000 rw-p 00000000 00:00 0 [heap]\n"
	"Rss:                4096 kB\nAnonHugePages:         0 kB\n"
	"7f0000000000-7f0008000000 rw-p 00000000 00:00 0\n"
	"Rss:              131072 kB\nAnonHugePages:         0 kB\n"
	"7f0008000000-7f0010000000 rw-p 00000000 00:00 0\n"
	"Rss:              120000 kB\nAnonHugePages:         0 kB\n"
	"7f0020000000-7f0028000000 rw-p 00000000 00:00 0\n"
	"Rss:              131072 kB\nAnonHugePages:         0 kB\n"
	"7f0030000000-7f0030001000 rw-p 00000000 00:00 0\n"
	"Rss:                   4 kB\nAnonHugePages:         0 kB\n";

static inline struct damos_config config_of(const char *action)
{
	struct damos_config c = { .is_used = true, .n_kdamonds = 1 };

	damon_setup_init(&c.setup);
	c.setup.scheme.action = action;
	return c;
}

static inline struct journal journal_of(const struct damon_sim *sim)
{
	struct journal j = { .lock_fd = -1 };

	j.path = xasprintf("%s/journal.tsv", sim->s.dir);
	j.fd = open(j.path, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	assert_true(j.fd >= 0);
	return j;
}

static inline char *journal_text(const struct journal *j)
{
	char *text;

	assert_int_equal(file_read(j->path, &text, NULL), 0);
	return text;
}

static inline void journal_end(struct journal *j)
{
	close(j->fd);
	free(j->path);
}

/* Start, and what it says; the journal is not looked at. */
static inline int start(struct damon_sim *sim, const struct damos_config *c,
			struct damos **d, char **how)
{
	struct journal j = journal_of(sim);
	int ret;

	scratch_put(&sim->s, "proc/meminfo", meminfo);
	scratch_put(&sim->s, "proc/4711/smaps", smaps);
	err_quiet(1);
	ret = damos_start(&sim->s.root, c, PID, &j, d, how);
	err_quiet(0);
	journal_end(&j);
	return ret;
}

static inline void expect(const struct damon_sim *sim, const char *file,
			  const char *expected)
{
	auto_free char *text = sim_read(sim, file);

	assert_string_equal(text, expected);
}

static inline void expect_log(const struct damon_sim *sim, const char *line)
{
	auto_free char *inner = xasprintf("\n%s\n", line);

	if (!sim->log.text || !strstr(sim->log.text, inner))
		fail_msg("no '%s' in %s", line, sim->log.text);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, sim_setup, sim_teardown)

#endif
