/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/counter_plan.h"

#include <stdlib.h>

#include "base/cpulist.h"
#include "base/facts.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_parts.h"
#include "kern/host_cpu.h"

const char *counter_plan_missing(const struct counter_plan *plan,
				 const char *role)
{
	for (size_t i = 0; i < plan->n_missing; i++)
		if (str_eq(plan->missing[i].role, role))
			return plan->missing[i].why;
	return NULL;
}

/* The first reason stays. */
void counter_add_missing(struct counter_plan *plan, const char *role, char *why)
{
	if (counter_plan_missing(plan, role)) {
		free(why);
		return;
	}
	XGROW(plan->missing, plan->n_missing);
	plan->missing[plan->n_missing++] =
		(struct counter_missing){ xstrdup(role), why };
}

void counter_add_note(struct counter_plan *plan, const char *role, char *text,
		      bool is_proxy)
{
	XGROW(plan->notes, plan->n_notes);
	plan->notes[plan->n_notes++] = (struct counter_note){
		.role = role ? xstrdup(role) : NULL,
		.text = text,
		.is_proxy = is_proxy,
	};
}

/* No role of the CPU's counters, for one reason. */
static void all_missing(struct counter_plan *plan, const char *why)
{
	for (size_t i = 0; i < n_hardware_roles; i++)
		counter_add_missing(plan, counter_roles[i], xstrdup(why));
}

static char *no_pmu(const struct root *root)
{
	struct facts facts = { 0 };
	const char *hypervisor;
	char *why;

	host_cpu_facts(root, &facts);
	hypervisor = facts_get(&facts, "hypervisor");
	why = xasprintf("no PMU: none of cpu, cpu_core and armv8* is in "
			"/" CPU_PMU_DIR "%s",
			*hypervisor && !str_eq(hypervisor, "none")
				? ", as in a virtual machine that was given "
				  "none"
				: "");
	facts_free(&facts);
	return why;
}

static bool is_within(const char *cpus, const char *all)
{
	cpu_set_t some;
	cpu_set_t of;
	cpu_set_t both;

	if (cpulist_parse(cpus, &some) || cpulist_parse(all, &of))
		return false;
	CPU_AND(&both, &some, &of);
	return CPU_EQUAL(&both, &some);
}

/* The PMU of the cores that the server runs on; NULL with *why (free() it). */
static const struct cpu_pmu *choose_pmu(const struct counter_ask *ask,
					const struct cpu_pmus *pmus, char **why)
{
	auto_str struct str kinds = { 0 };

	if (!pmus->n) {
		*why = no_pmu(ask->root);
		return NULL;
	}
	if (pmus->n == 1)
		return &pmus->list[0];
	for (size_t i = 0; i < pmus->n; i++) {
		const struct cpu_pmu *pmu = &pmus->list[i];

		if (ask->cpus && pmu->cpus && is_within(ask->cpus, pmu->cpus))
			return pmu;
		str_addf(&kinds, "%s%s (CPUs %s)", i ? ", " : "", pmu->name,
			 pmu->cpus ? pmu->cpus : "not said");
	}
	*why = xasprintf("cores of several kinds, whose counts do not add up: "
			 "%s; cpus = those of one kind in [server]",
			 kinds.text);
	return NULL;
}

/* A CPU that the PMU is of. */
static unsigned int cpu_of(const struct cpu_pmu *pmu)
{
	cpu_set_t cpus;

	if (!pmu->cpus || cpulist_parse(pmu->cpus, &cpus))
		return 0;
	for (unsigned int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &cpus))
			return i;
	return 0;
}

static char *not_known(const struct cpu_id *id)
{
	auto_free char *text = cpu_id_text(id);

	return xasprintf("no event file is for this CPU, %s; one can be added: "
			 "events = FOLDER in [collect], thpbench-events(5)",
			 text);
}

static bool has_watchdog(const struct root *root)
{
	auto_free char *word = NULL;

	return !root_read_word(root, "proc/sys/kernel/nmi_watchdog", &word) &&
	       str_eq(word, "1");
}

static void set_counters(const struct counter_job *job)
{
	bool is_held = has_watchdog(job->ask->root);
	auto_str struct str fixed = { 0 };

	str_add(&fixed, "");
	for (size_t i = 0; i < job->file->n_fixed; i++) {
		const char *role = job->file->fixed[i];

		if (is_held && job->file->is_watchdog_fixed &&
		    str_eq(role, "cycles"))
			continue;
		str_addf(&fixed, "%s%s", fixed.len ? " " : "", role);
	}
	job->out->fixed = str_steal(&fixed);
	job->out->general = (unsigned int)job->file->general;
	if (is_held && !job->file->is_watchdog_fixed)
		job->out->general--;
}

/* Roles that the file does not speak of. */
static void add_unknown(const struct counter_job *job)
{
	for (size_t i = 0; i < n_hardware_roles; i++)
		if (!event_file_role(job->file, counter_roles[i]))
			counter_add_missing(job->out, counter_roles[i],
					    xasprintf("no event for it on %s",
						      job->pmu->title));
}

static void add_notes(const struct counter_job *job)
{
	const struct event_file *f = job->file;

	if (f->note)
		counter_add_note(job->out, NULL, xstrdup(f->note), false);
	if (!str_eq(job->tables, job->pmu->name))
		counter_add_note(
			job->out, NULL,
			str_eq(job->tables, EVENT_RAW)
				? xasprintf("libpfm4 here has no tables of "
					    "%s: codes of the event file",
					    job->pmu->name)
				: xasprintf("libpfm4 here has no tables of "
					    "%s: those of %s, whose codes are "
					    "the same",
					    job->pmu->name, job->tables),
			false);
	for (size_t i = 0; i < f->n_roles; i++) {
		const struct event_role *r = &f->roles[i];

		if (r->note && !counter_plan_missing(job->out, r->name))
			counter_add_note(job->out, r->name,
					 xasprintf("%s%s",
						   r->is_proxy ? "a proxy: "
							       : "",
						   r->note),
					 r->is_proxy);
	}
}

static void plan_pmu(struct counter_job *job)
{
	struct counter_plan *plan = job->out;

	plan->pmu = xstrdup(job->pmu->name);
	plan->title = xstrdup(job->pmu->title);
	if (job->is_hybrid && job->sysfs->cpus)
		plan->cpus = xstrdup(job->sysfs->cpus);
	job->tables = counter_tables(job->pmu);
	set_counters(job);
	for (size_t i = 0; i < job->file->n_missing; i++)
		counter_add_missing(plan, job->file->missing[i].role,
				    xstrdup(job->file->missing[i].why));
	counter_add_groups(job);
	add_unknown(job);
	add_notes(job);
}

static void plan_found(struct counter_job *job, const struct event_files *files)
{
	unsigned int cpu = cpu_of(job->sysfs);
	auto_free char *why = NULL;
	struct cpu_id id;

	if (cpu_id_read(job->ask->root, cpu, &id))
		why = xasprintf("not known which CPU this is: neither "
				"/proc/cpuinfo nor midr_el1 tells of CPU %u",
				cpu);
	else
		job->pmu = event_files_find(files, &id, job->sysfs->name,
					    &job->file);
	if (job->pmu) {
		plan_pmu(job);
		return;
	}
	if (!why)
		why = not_known(&id);
	all_missing(job->out, why);
}

static int plan_hardware(const struct counter_ask *ask,
			 struct counter_plan *out)
{
	struct counter_job job = { .ask = ask, .out = out };
	auto_free char *why = NULL;
	struct event_files files;
	struct cpu_pmus pmus;
	int ret = event_files_read(ask->folder, &files);

	if (ret)
		return ret;
	cpu_pmus_read(ask->root, &pmus);
	job.is_hybrid = pmus.n > 1;
	job.sysfs = choose_pmu(ask, &pmus, &why);
	if (job.sysfs)
		plan_found(&job, &files);
	else
		all_missing(out, why);
	cpu_pmus_free(&pmus);
	event_files_free(&files);
	return 0;
}

/*
 * Always of the kernel's work too: it is the kernel that faults and switches,
 * and of user mode alone nothing would be counted.
 */
static void add_software(struct counter_plan *plan)
{
	struct counter_group group = {
		.name = xstrdup("software"),
		.is_software = true,
	};

	for (size_t i = n_hardware_roles; i < n_counter_roles; i++) {
		struct counter_event event = {
			.name = xstrdup(counter_software_event(i)),
			.role = xstrdup(counter_roles[i]),
		};
		const char *why;

		if (pfm_encode(event.name, PFM_USER_KERNEL, &event.code,
			       &why)) {
			counter_add_missing(plan, event.role,
					    xasprintf("libpfm4 cannot encode "
						      "%s: %s",
						      event.name, why));
			free(event.name);
			free(event.role);
			continue;
		}
		XGROW(group.events, group.n);
		group.events[group.n++] = event;
	}
	XGROW(plan->groups, plan->n_groups);
	plan->groups[plan->n_groups++] = group;
}

int counter_plan_make(const struct counter_ask *ask, struct counter_plan *out)
{
	int ret = 0;

	*out = (struct counter_plan){ 0 };
	if (ask->is_software)
		all_missing(out, "not asked for: counters = software");
	else
		ret = plan_hardware(ask, out);
	if (ret)
		return ret;
	add_software(out);
	return 0;
}

void counter_plan_free(struct counter_plan *plan)
{
	for (size_t i = 0; i < plan->n_groups; i++) {
		counter_events_free(plan->groups[i].events, plan->groups[i].n);
		free(plan->groups[i].name);
	}
	for (size_t i = 0; i < plan->n_missing; i++) {
		free(plan->missing[i].role);
		free(plan->missing[i].why);
	}
	for (size_t i = 0; i < plan->n_notes; i++) {
		free(plan->notes[i].role);
		free(plan->notes[i].text);
	}
	free(plan->pmu);
	free(plan->title);
	free(plan->cpus);
	free(plan->groups);
	free(plan->missing);
	free(plan->notes);
	free(plan->fixed);
	*plan = (struct counter_plan){ 0 };
}
