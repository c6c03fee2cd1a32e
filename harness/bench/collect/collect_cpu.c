/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU seconds of the server, the load, khugepaged and all kdamonds, each from
 * when it began. Ticks of /proc/PID/stat are 10 ms as a rule.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/collect/collectors.h"
#include "data/column.h"
#include "kern/procstat.h"

enum { SERVER, LOAD, KHUGEPAGED, KDAMOND, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {
	[SERVER] = COL_CPU_SERVER,
	[LOAD] = COL_CPU_LOAD,
	[KHUGEPAGED] = COL_CPU_KHUGEPAGED,
	[KDAMOND] = COL_CPU_KDAMOND,
};

enum { MOST_THREADS = 64 };

/*
 * Kernel threads come and go: khugepaged ends where THP is off everywhere,
 * and begins again with another pid. What ended has its seconds counted on.
 */
struct threads {
	const char *name; /* as procstat_find_kthreads() has it */
	struct {
		pid_t pid;
		struct kept stat;
		double seconds;
	} list[MOST_THREADS];
	size_t n;
	double ended_s;
};

struct cpu {
	pid_t server_pid;
	pid_t load_pid;
	struct kept server;
	struct kept load;
	bool sees_threads;
	uint64_t look_ns; /* for new kernel threads */
	struct threads khugepaged;
	struct threads kdamond;
};

/* Looking through /proc costs about 10 us a process. */
static const uint64_t look_every_ns = 30 * NUM_NS_PER_S;

static int read_seconds(struct kept *stat, double *seconds)
{
	struct procstat p;
	int ret = kept_read(stat);

	if (!ret)
		ret = procstat_parse(stat->text, &p);
	if (!ret)
		*seconds = (double)p.cpu_ticks / (double)sysconf(_SC_CLK_TCK);
	return ret;
}

static bool is_known(const struct threads *t, pid_t pid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].pid == pid)
			return true;
	return false;
}

static void look_for(struct threads *t, const struct root *root)
{
	pid_t pids[MOST_THREADS];
	size_t n = procstat_find_kthreads(root, t->name, pids, MOST_THREADS);

	for (size_t i = 0; i < n && t->n < MOST_THREADS; i++) {
		struct kept stat = KEPT_CLOSED;

		if (is_known(t, pids[i]))
			continue;
		if (kept_open_proc(&stat, root, pids[i], "stat"))
			continue;
		t->list[t->n].pid = pids[i];
		t->list[t->n].stat = stat;
		t->list[t->n++].seconds = 0;
	}
}

/* All seconds of all that were ever seen; *ended: one is no more. */
static double sum_up(struct threads *t, bool *ended)
{
	double sum = t->ended_s;

	for (size_t i = 0; i < t->n; i++) {
		if (read_seconds(&t->list[i].stat, &t->list[i].seconds) == 0) {
			sum += t->list[i].seconds;
			continue;
		}
		*ended = true;
		sum += t->list[i].seconds;
		t->ended_s += t->list[i].seconds;
		kept_close(&t->list[i].stat);
		t->list[i--] = t->list[--t->n];
	}
	return sum;
}

static void forget(struct threads *t)
{
	for (size_t i = 0; i < t->n; i++)
		kept_close(&t->list[i].stat);
	t->n = 0;
}

static void look_for_all(struct cpu *s, const struct root *root)
{
	if (!s->khugepaged.n) /* there is but one */
		look_for(&s->khugepaged, root);
	look_for(&s->kdamond, root);
	s->look_ns = clock_ns() + look_every_ns;
}

static void *cpu_open(const struct collect_target *t, char **source, char **why)
{
	struct cpu *s = xcalloc(1, sizeof(*s));
	pid_t pid;

	(void)why;
	s->server = s->load = KEPT_CLOSED;
	s->khugepaged.name = "khugepaged";
	s->kdamond.name = "kdamond.";
	/* In a PID namespace of our own none can be seen. */
	s->sees_threads =
		procstat_find_kthreads(t->root, "kthreadd", &pid, 1) ||
		procstat_find_kthreads(t->root, "khugepaged", &pid, 1);
	/* Here, where it is not yet a tick that pays for it. */
	if (s->sees_threads)
		look_for_all(s, t->root);
	*source = xasprintf("/proc/PID/stat%s",
			    s->sees_threads ? ""
					    : "; kernel threads are not "
					      "visible here");
	return s;
}

static const char *const *cpu_columns(void *state, size_t *n)
{
	(void)state;
	*n = N_COLUMNS;
	return columns;
}

static void sample_process(struct kept *stat, pid_t *known, pid_t pid,
			   const struct root *root, double *cell)
{
	if (pid <= 0)
		return;
	if (pid != *known)
		kept_open_proc(stat, root, pid, "stat");
	*known = pid;
	read_seconds(stat, cell);
}

static void cpu_sample(void *state, const struct collect_target *t,
		       double *cells)
{
	struct cpu *s = state;
	uint64_t now = clock_ns();
	bool ended = false;

	sample_process(&s->server, &s->server_pid, t->server_pid, t->root,
		       &cells[SERVER]);
	sample_process(&s->load, &s->load_pid, t->load_pid, t->root,
		       &cells[LOAD]);
	if (!s->sees_threads)
		return;
	/* A scheme's kdamonds are to be known when the window opens. */
	if (t->is_edge || now >= s->look_ns)
		look_for_all(s, t->root);
	cells[KHUGEPAGED] = sum_up(&s->khugepaged, &ended);
	cells[KDAMOND] = sum_up(&s->kdamond, &ended);
	if (ended)
		s->look_ns = now;
}

static void cpu_close(void *state)
{
	struct cpu *s = state;

	kept_close(&s->server);
	kept_close(&s->load);
	forget(&s->khugepaged);
	forget(&s->kdamond);
	free(s);
}

const struct collector collector_cpu = {
	.name = "cpu",
	.help = "CPU seconds of server, load, khugepaged and kdamonds",
	.open = cpu_open,
	.columns = cpu_columns,
	.sample = cpu_sample,
	.close = cpu_close,
	.none = "no process of the run, and no kernel threads to be seen",
};
