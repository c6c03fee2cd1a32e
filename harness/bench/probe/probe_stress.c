/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MADV_COLLAPSE lets go of the mmap lock while it works: what it knew of the
 * mappings may no longer be so afterwards. Threads collapse, unmap, map anew
 * and fork at the same time; the kernel's log and the memory tell how it went.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guest/guest_console.h"
#include "bench/probe/probe_parts.h"
#include "kern/kmsg.h"

enum { N_HUGE = 16, PAGE_BYTES = 4096 };

static const uint64_t lasts_ns = 3 * NUM_NS_PER_S;

/* Counters are added to by one thread each. */
struct stress {
	struct probe_memory m;
	uint64_t end_ns;
	atomic_bool is_over; /* a thread could not go on */
	atomic_uint_fast64_t n_collapses;
	atomic_uint_fast64_t n_collapsed; /* of these, done without an error */
	atomic_uint_fast64_t n_unmaps;
	atomic_uint_fast64_t n_forks;
	atomic_uint_fast64_t n_bad; /* pages that hold what nobody wrote */
};

static bool goes_on(struct stress *s)
{
	return !atomic_load(&s->is_over) && clock_ns() < s->end_ns;
}

/* Marsaglia's xorshift64 */
static uint64_t draw(uint64_t *x, uint64_t below)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return (*x >> 20) % below;
}

/* A page holds its own address, or nothing yet. */
static void fill(char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE_BYTES)
		*(volatile uintptr_t *)(void *)(at + i) = (uintptr_t)(at + i);
}

static uint64_t count_bad(const char *at, size_t bytes)
{
	uint64_t n = 0;

	for (size_t i = 0; i < bytes; i += PAGE_BYTES) {
		uintptr_t is =
			*(const volatile uintptr_t *)(const void *)(at + i);

		n += is && is != (uintptr_t)(at + i);
	}
	return n;
}

/* By turns one huge page, and all of them: over holes and new mappings. */
static void *collapse(void *arg)
{
	struct stress *s = arg;
	uint64_t x = 88172645463325252 + (uintptr_t)&x;
	size_t huge = s->m.huge_bytes;

	for (bool is_all = false; goes_on(s); is_all = !is_all) {
		char *at = s->m.base + (is_all ? 0 : draw(&x, N_HUGE) * huge);
		size_t bytes = is_all ? s->m.bytes : huge;

		if (!madvise(at, bytes, PROBE_ADVICE_COLLAPSE))
			atomic_fetch_add(&s->n_collapsed, 1);
		atomic_fetch_add(&s->n_collapses, 1);
		/* Or those that want the mmap lock for themselves starve. */
		usleep(200);
	}
	return NULL;
}

static int map_again(char *at, size_t bytes, int flags)
{
	return mmap(at, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0) == at
		       ? 0
		       : -1;
}

/* Even huge pages: dropped, or mapped over. They are always there. */
static void *replace(void *arg)
{
	struct stress *s = arg;
	uint64_t x = 1181783497276652981;
	size_t huge = s->m.huge_bytes;

	while (goes_on(s)) {
		char *at = s->m.base + 2 * draw(&x, N_HUGE / 2) * huge;
		size_t from = draw(&x, huge / PAGE_BYTES) * PAGE_BYTES;

		if (draw(&x, 2))
			madvise(at + from, huge - from, MADV_DONTNEED);
		else if (map_again(at + from, huge - from, MAP_FIXED))
			atomic_store(&s->is_over, true);
		atomic_fetch_add(&s->n_bad, count_bad(at, huge));
		fill(at, huge);
		atomic_fetch_add(&s->n_unmaps, 1);
	}
	return NULL;
}

/*
 * Odd ones: unmapped, so that there is a hole for a while. Nothing else in this
 * process maps anything meanwhile: the hole stays ours.
 */
static void *unmap(void *arg)
{
	struct stress *s = arg;
	uint64_t x = 4101842887655102017;
	size_t huge = s->m.huge_bytes;

	while (goes_on(s)) {
		char *at = s->m.base + (2 * draw(&x, N_HUGE / 2) + 1) * huge;
		size_t from = draw(&x, huge / PAGE_BYTES) * PAGE_BYTES;

		munmap(at + from, huge - from);
		if (draw(&x, 2))
			usleep(100);
		if (map_again(at + from, huge - from, MAP_FIXED_NOREPLACE)) {
			atomic_store(&s->is_over, true);
			break;
		}
		atomic_fetch_add(&s->n_bad, count_bad(at, huge));
		fill(at, huge);
		atomic_fetch_add(&s->n_unmaps, 1);
	}
	return NULL;
}

/* The child looks at what is always there, with its own page tables. */
static void *forks(void *arg)
{
	struct stress *s = arg;
	size_t huge = s->m.huge_bytes;

	while (goes_on(s)) {
		pid_t pid = fork();
		int wstatus;

		if (pid == 0) {
			uint64_t n = 0;

			for (size_t i = 0; i < N_HUGE; i += 2)
				n += count_bad(s->m.base + i * huge, huge);
			_exit(n != 0);
		}
		if (pid < 0 || waitpid(pid, &wstatus, 0) != pid) {
			usleep(1000);
			continue;
		}
		if (!WIFEXITED(wstatus) || WEXITSTATUS(wstatus))
			atomic_fetch_add(&s->n_bad, 1);
		atomic_fetch_add(&s->n_forks, 1);
	}
	return NULL;
}

/* Returns 0, or an errno if threads cannot be had. */
static int run_threads(struct stress *s)
{
	static void *(*const works[])(void *) = { collapse, collapse, replace,
						  unmap, forks };
	pthread_t threads[ARRAY_SIZE(works)];
	size_t n = 0;
	int err = 0;

	s->end_ns = clock_ns() + lasts_ns;
	while (!err && n < ARRAY_SIZE(works)) {
		err = pthread_create(&threads[n], NULL, works[n], s);
		n += !err;
	}
	if (err)
		atomic_store(&s->is_over, true);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return err;
}

static struct probe_stress_seen seen(struct stress *s)
{
	return (struct probe_stress_seen){
		.n_collapses = atomic_load(&s->n_collapses),
		.n_collapsed = atomic_load(&s->n_collapsed),
		.n_unmaps = atomic_load(&s->n_unmaps),
		.n_forks = atomic_load(&s->n_forks),
		.n_bad = atomic_load(&s->n_bad),
		.lasted_ns = lasts_ns,
		.is_over = atomic_load(&s->is_over),
	};
}

static char *figures(const struct probe_stress_seen *s)
{
	return xasprintf("%" PRIu64 " collapses, %" PRIu64 " done; %" PRIu64
			 " times unmapped, %" PRIu64 " forks in %.0f s",
			 s->n_collapses, s->n_collapsed, s->n_unmaps,
			 s->n_forks,
			 (double)s->lasted_ns / (double)NUM_NS_PER_S);
}

void probe_stress_judge(const struct probe_stress_seen *s, const char *said,
			struct answer *out)
{
	struct guest_console c;
	auto_free char *mark = NULL;

	guest_console_scan(said, &c);
	if (c.n_lines)
		mark = xasprintf("%zu message%s: %s", c.n_lines,
				 c.n_lines == 1 ? "" : "s, the first",
				 c.lines[0]);
	guest_console_free(&c);
	if (s->n_bad)
		answer_set(out, ANSWER_WRONG,
			   xstrdup("memory holds what nobody wrote"),
			   xasprintf("%" PRIu64 " findings; %s", s->n_bad,
				     mark ? mark : "the kernel says nothing"));
	else if (mark)
		answer_set(out, ANSWER_WRONG, xstrdup("the kernel complains"),
			   xstrdup(mark));
	else if (s->is_over || !s->n_collapsed || !s->n_unmaps || !s->n_forks)
		answer_set(out, ANSWER_MISSING,
			   xstrdup("one of its threads could do nothing"),
			   figures(s));
	else
		answer_set(out, ANSWER_OK,
			   xstrdup("no complaint, and memory as written"),
			   figures(s));
}

void probe_stress(const struct probe_env *env, struct answer *out)
{
	struct stress s = { 0 };
	struct probe_stress_seen what;
	auto_close int log = kmsg_open();
	auto_str struct str said = { 0 };
	int ret;

	if (log < 0) {
		probe_missing(out, "/dev/kmsg, the kernel's log: %s",
			      strerror(-log));
		return;
	}
	if (probe_map(env, N_HUGE, &s.m, out))
		return;
	fill(s.m.base, s.m.bytes);
	ret = run_threads(&s);
	if (ret) {
		probe_missing(out, "start a thread: %s", strerror(ret));
		return;
	}
	str_add(&said, "");
	/* What was overwritten is lost; what is left is looked at. */
	ret = kmsg_read(log, &said);
	what = seen(&s);
	if (ret && ret != -EPIPE)
		probe_missing(out, "read the kernel's log: %s", strerror(-ret));
	else
		probe_stress_judge(&what, said.text, out);
}
