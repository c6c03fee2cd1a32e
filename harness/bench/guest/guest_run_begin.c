/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest of a run is booted with. */
#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tsv.h"
#include "bench/guest/guest_modules.h"
#include "bench/guest/guest_pack.h"
#include "bench/guest/guest_run_parts.h"
#include "kern/host.h"

static int pack(struct guest_run *r, struct guest_files *f)
{
	const struct run_shared *sh = r->shared;
	int ret = guest_files_open(f);

	if (!ret)
		ret = guest_pack_init(f);
	if (!ret)
		ret = guest_pack_tools(f);
	for (size_t i = 0; !ret && i < r->set->n; i++)
		ret = guest_modules_add(f, &r->set->targets[i].image);
	if (!ret)
		ret = guest_pack_experiment(f, sh->config, &sh->program,
					    &sh->prepared);
	return ret ? ret : guest_files_end(f);
}

int guest_run_pack(struct guest_run *r)
{
	const struct run_shared *sh = r->shared;
	struct guest_files *f = &r->set->files;
	uint64_t have = host_available_bytes(sh->root);
	int ret = 0;

	r->oom_kills = host_oom_kills(sh->root);
	if (!f->path)
		ret = pack(r, f);
	if (ret) {
		if (f->path)
			guest_files_free(f);
		return ret;
	}
	r->memory_bytes = guest_memory_bytes(sh->config, f->cpio.n_bytes,
					     sh->prepared.data_bytes);
	if (have && have < r->memory_bytes)
		return refuse(-ENOMEM,
			      "a guest needs %.2f GiB of memory, and %.2f are "
			      "available; less [guest] memory, or less data",
			      (double)r->memory_bytes / (double)NUM_GIB,
			      (double)have / (double)NUM_GIB);
	return 0;
}

char *guest_run_cmdline(const struct guest_run *r)
{
	const char *more = r->shared->config->guest.cmdline;
	const struct run *run = r->run;

	return xasprintf("thpbench.mode=run thpbench.run=%u thpbench.block=%u "
			 "thpbench.arm=%zu thpbench.attempt=%u%s%s",
			 run->number, run->block, run->arm, run->attempt,
			 more ? " " : "", more ? more : "");
}

static void read_hello(const char *hello, struct facts *facts)
{
	struct tsv t;

	tsv_parse(xstrdup(hello), &t);
	for (size_t i = 0; i < t.n_rows; i++)
		facts_set(facts, tsv_cell(&t, i, 0), tsv_cell(&t, i, 1));
	tsv_free(&t);
}

void guest_run_facts(struct guest_run *r, const char *hello)
{
	const struct guest_config *c = &r->shared->config->guest;
	struct facts facts = { 0 };

	facts_set(&facts, "image", r->target->image.path);
	facts_set(&facts, "accel", guest_accel_text(r->target->accel));
	if (r->target->why)
		facts_set(&facts, "not_kvm", r->target->why);
	facts_setf(&facts, "guest_memory_bytes", "%" PRIu64, r->memory_bytes);
	facts_setf(&facts, "guest_cpus", "%u", c->cpus);
	facts_set(&facts, "guest_cmdline", c->cmdline ? c->cmdline : "");
	read_hello(hello, &facts);
	store_facts(r->store, "guest.tsv", &facts);
	facts_free(&facts);
}
