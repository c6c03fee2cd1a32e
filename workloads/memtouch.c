/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memtouch: a process that touches its memory, as a load without a database.
 *
 *   memtouch --bytes=SIZE [--pattern=uniform|hot|sequential] [--threads=N]
 *            [--friendly=on|off] [--advise=on|off] [--populate=on|off]
 *            [--hot-share=PCT] [--hot-range=PCT] [--hot-start=PCT]
 *            [--seconds=N]
 *
 * pattern=hot   hot-share % of the touches fall into hot-range % of the memory,
 *               which lies at hot-start: from 0, the front, to 100, the end;
 *               the others fall anywhere
 * friendly=on   one mapping, aligned to a huge page
 * friendly=off  many mappings of half a huge page each, so that none can ever
 *               be mapped by a huge page
 * advise=on     MADV_HUGEPAGE for all of it
 *
 * A transaction is 1000 touches of a word each, reads and writes by turns,
 * and reported as harness/bench/load/load.h says: a line a second and a final
 * one on fd 3 (stdout where there is none). It ends when the control page says
 * so, at SIGTERM or SIGINT, or after so many seconds.
 */
#include "memtouch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define LINE_BYTES 64

enum { TOUCHES = 1000, REPORT_FD = 3 };
/* Times in 32 steps for each power of two: read to 3 %. */
enum { STEP_BITS = 5, STEPS = 1 << STEP_BITS, BUCKETS = 64 * STEPS };

struct worker {
	pthread_t thread;
	const struct area *area;
	const struct options *options;
	uint64_t seed;
	uint64_t hot_share; /* of 2^32 */
	uint64_t position;
	/* Written by the worker, read by the reporter. */
	uint64_t transactions, sum_ns, max_ns;
	uint64_t times[BUCKETS];
} __attribute__((aligned(128)));

/* All counts at one moment. */
struct totals {
	uint64_t at_ns, transactions, sum_ns, max_ns;
	uint64_t times[BUCKETS];
};

struct report {
	int fd;
	uint64_t started_ns;
	struct worker *workers;
	uint64_t n_workers;
	struct totals last;
};

volatile sig_atomic_t must_end;

static void on_signal(int sig)
{
	must_end = sig;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* xorshift64*: Marsaglia 2003, Vigna 2016; the upper half is used. */
static uint64_t draw(struct worker *w)
{
	w->seed ^= w->seed >> 12;
	w->seed ^= w->seed << 25;
	w->seed ^= w->seed >> 27;
	return (w->seed * UINT64_C(2685821657736338717)) >> 32;
}

/* A number of [0, n), n below 2^32. */
static uint64_t draw_below(struct worker *w, uint64_t n)
{
	return draw(w) * n >> 32;
}

static uint64_t random_page(struct worker *w)
{
	const struct area *a = w->area;

	if (w->options->pattern == HOT && draw(w) < w->hot_share)
		return a->first_hot + draw_below(w, a->n_hot);
	return draw_below(w, a->n_pages);
}

static uint64_t next_offset(struct worker *w)
{
	uint64_t page = w->area->page_bytes;

	if (w->options->pattern == SEQUENTIAL) {
		w->position += LINE_BYTES;
		if (w->position >= w->area->n_pages * page)
			w->position = 0;
		return w->position;
	}
	return random_page(w) * page +
	       draw_below(w, page / LINE_BYTES) * LINE_BYTES;
}

static void touch(struct worker *w)
{
	for (unsigned int i = 0; i < TOUCHES; i += 2) {
		uint64_t seen = *area_word(w->area, next_offset(w));

		*area_word(w->area, next_offset(w)) = seen + i;
	}
}

/* Which step of which power of two. */
static unsigned int bucket_of(uint64_t ns)
{
	unsigned int power;

	if (ns < STEPS)
		return (unsigned int)ns;
	power = 63 - (unsigned int)__builtin_clzll(ns);
	return (power - STEP_BITS + 1) * STEPS +
	       (unsigned int)((ns >> (power - STEP_BITS)) & (STEPS - 1));
}

static uint64_t bucket_ns(unsigned int bucket)
{
	unsigned int power = bucket / STEPS;

	if (power == 0)
		return bucket;
	return (uint64_t)(STEPS + bucket % STEPS) << (power - 1);
}

static void add(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	uint64_t before = now_ns();

	while (!must_end) {
		uint64_t now, ns;

		touch(w);
		now = now_ns();
		ns = now - before;
		before = now;
		add(&w->transactions, 1);
		add(&w->sum_ns, ns);
		add(&w->times[bucket_of(ns)], 1);
		/* The reporter sets it back: of two racing, the longer wins or
		 * comes a second later. */
		if (ns > __atomic_load_n(&w->max_ns, __ATOMIC_RELAXED))
			__atomic_store_n(&w->max_ns, ns, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* --- reporting --- */

static void add_up(const struct report *r, struct totals *t)
{
	memset(t, 0, sizeof(*t));
	for (uint64_t i = 0; i < r->n_workers; i++) {
		struct worker *w = &r->workers[i];
		uint64_t max_ns =
			__atomic_exchange_n(&w->max_ns, 0, __ATOMIC_RELAXED);

		t->transactions +=
			__atomic_load_n(&w->transactions, __ATOMIC_RELAXED);
		t->sum_ns += __atomic_load_n(&w->sum_ns, __ATOMIC_RELAXED);
		if (max_ns > t->max_ns)
			t->max_ns = max_ns;
		for (unsigned int b = 0; b < BUCKETS; b++)
			t->times[b] +=
				__atomic_load_n(&w->times[b], __ATOMIC_RELAXED);
	}
	t->at_ns = now_ns();
}

static double percentile_ms(const struct totals *from, const struct totals *to,
			    double share)
{
	uint64_t all = 0;
	uint64_t below = 0;
	unsigned int b;

	for (b = 0; b < BUCKETS; b++)
		all += to->times[b] - from->times[b];
	for (b = 0; b < BUCKETS - 1; b++) {
		below += to->times[b] - from->times[b];
		if ((double)below >= share * (double)all)
			break;
	}
	return (double)bucket_ns(b) / (double)NS_PER_MS;
}

static void say(const struct report *r, const char *text, int n)
{
	if (n < 0 || write(r->fd, text, (size_t)n) != n)
		must_end = SIGPIPE;
}

static void report_line(struct report *r)
{
	char times[80] = "-\t-\t-";
	const struct totals *was = &r->last;
	struct totals now;
	uint64_t n;
	char line[256];

	add_up(r, &now);
	n = now.transactions - was->transactions;
	if (n)
		snprintf(times, sizeof(times), "%.6f\t%.6f\t%.6f",
			 percentile_ms(was, &now, 0.95),
			 (double)(now.sum_ns - was->sum_ns) / (double)n /
				 (double)NS_PER_MS,
			 (double)now.max_ns / (double)NS_PER_MS);
	say(r, line,
	    snprintf(line, sizeof(line),
		     "line\t%.6f\t%.9f\t%llu\t%llu\t%llu\t%llu\t0\t%s\t"
		     "0\t0\n",
		     (double)now.at_ns / (double)NS_PER_S,
		     (double)(now.at_ns - was->at_ns) / (double)NS_PER_S,
		     (unsigned long long)r->n_workers, (unsigned long long)n,
		     (unsigned long long)n * TOUCHES / 2,
		     (unsigned long long)n * TOUCHES / 2, times));
	r->last = now;
}

/* The total is counted a second time, from the times. */
static void report_final(const struct report *r)
{
	uint64_t n = 0;
	char line[128];

	for (unsigned int b = 0; b < BUCKETS; b++)
		n += r->last.times[b];
	say(r, line,
	    snprintf(line, sizeof(line), "final\t%.6f\t%.9f\t%llu\n",
		     (double)r->last.at_ns / (double)NS_PER_S,
		     (double)(r->last.at_ns - r->started_ns) / (double)NS_PER_S,
		     (unsigned long long)n));
}

/* The first word of the shared page; a word of our own where there is none. */
static const volatile uint32_t *map_control(void)
{
	static const volatile uint32_t none;
	const char *text = getenv("THPBENCH_CONTROL");
	char *end;
	long fd;
	void *page;

	if (!text)
		return &none;
	fd = strtol(text, &end, 10);
	if (end == text || *end != ':')
		die("THPBENCH_CONTROL is not FD:BYTES:", text);
	page = mmap(NULL, sizeof(uint32_t), PROT_READ, MAP_SHARED, (int)fd, 0);
	if (page == MAP_FAILED)
		die("cannot map", "the control page");
	return page;
}

static void watch(struct report *r, const volatile uint32_t *stop,
		  uint64_t seconds)
{
	uint64_t next = r->started_ns + NS_PER_S;
	uint64_t end = r->started_ns + seconds * NS_PER_S;

	while (!must_end && !*stop) {
		const struct timespec nap = { .tv_nsec = 5000000 };
		uint64_t now;

		nanosleep(&nap, NULL);
		now = now_ns();
		if (seconds && now >= end)
			return;
		if (now < next)
			continue;
		report_line(r);
		while (next <= now)
			next += NS_PER_S;
	}
}

static void start_workers(struct report *r, const struct area *area,
			  const struct options *o)
{
	r->n_workers = o->threads;
	r->workers = aligned_alloc(128, o->threads * sizeof(*r->workers));
	if (!r->workers)
		die("no memory for", "the threads");
	memset(r->workers, 0, o->threads * sizeof(*r->workers));
	r->started_ns = now_ns();
	r->last.at_ns = r->started_ns;
	for (uint64_t i = 0; i < o->threads; i++) {
		struct worker *w = &r->workers[i];

		w->area = area;
		w->options = o;
		w->seed = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
		w->hot_share = (uint64_t)(o->hot_share / 100 * 4294967296.0);
		w->position = area->n_pages / o->threads * i * area->page_bytes;
		errno = pthread_create(&w->thread, NULL, work, w);
		if (errno)
			die("cannot start", "a thread");
	}
}

int main(int argc, char **argv)
{
	struct options o = { .threads = 1,
			     .hot_share = 90,
			     .hot_range = 10,
			     .hot_start = 50,
			     .is_friendly = 1,
			     .is_populated = 1 };
	static struct report r;
	const volatile uint32_t *stop;
	struct area area = { 0 };

	parse_options(argc, argv, &o);
	stop = map_control();
	signal(SIGTERM, on_signal);
	signal(SIGINT, on_signal);
	r.fd = fcntl(REPORT_FD, F_GETFD) < 0 ? STDOUT_FILENO : REPORT_FD;
	area_make(&o, &area);
	start_workers(&r, &area, &o);
	watch(&r, stop, o.seconds);
	must_end = must_end ? must_end : SIGTERM;
	for (uint64_t i = 0; i < r.n_workers; i++)
		pthread_join(r.workers[i].thread, NULL);
	report_line(&r);
	report_final(&r);
	free(r.workers);
	return must_end == SIGPIPE;
}
