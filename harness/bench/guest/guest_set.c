/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_set.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check.h"
#include "bench/guest/guest_accel.h"
#include "bench/guest/guest_kernel.h"

/* Why not all of these arms can run on the host; NULL if they can. */
static char *why_not_host(const struct root *root, const struct config *config,
			  const bool *is_auto)
{
	struct config some = *config;
	auto_free struct arm *arms = xcalloc(config->n_arms, sizeof(*arms));
	struct check check;
	char host[] = "host";
	bool has_scheme = false;
	char *why = NULL;

	some.arms = arms;
	some.n_arms = 0;
	some.kernel = host;
	for (size_t i = 0; i < config->n_arms; i++) {
		if (!is_auto[i])
			continue;
		has_scheme |= config->arms[i].scheme.is_used;
		arms[some.n_arms] = config->arms[i];
		arms[some.n_arms++].kernel = NULL;
	}
	check_machine(root, &some, has_scheme, &check);
	for (size_t i = 0; i < check.n_needs && !why; i++)
		if (check.needs[i].is_needed && !check.needs[i].is_ok)
			why = xasprintf("%s: %s", check.needs[i].name,
					check.needs[i].text);
	for (size_t i = 0; i < check.n_arms && !why; i++)
		if (check.arms[i].why)
			why = xasprintf("arm '%s': %s", check.arms[i].label,
					check.arms[i].why);
	check_free(&check);
	return why;
}

/* What "auto" stands for: "host" or "guest". */
static const char *choose(const struct root *root, const struct config *config,
			  struct guest_set *set)
{
	auto_free bool *is_auto = xcalloc(config->n_arms, sizeof(*is_auto));
	auto_free char *why = NULL;
	bool any = false;

	for (size_t i = 0; i < config->n_arms; i++) {
		is_auto[i] =
			str_eq(config_kernel(config, &config->arms[i]), "auto");
		any = any || is_auto[i];
	}
	if (!any)
		return "host";
	why = why_not_host(root, config, is_auto);
	set->chosen = why ? xasprintf("kernel = auto: a guest's; the host's "
				      "cannot: %s",
				      why)
			  : xstrdup("kernel = auto: the host's has what the "
				    "arms need");
	return why ? "guest" : "host";
}

/* The place of the target with this image, and 1; or -errno, printed. */
static int add_target(struct guest_set *set, const char *path)
{
	struct guest_image image;
	int ret = guest_image_read(path, &image);

	if (!ret)
		ret = guest_image_fits(&image);
	for (size_t i = 0; !ret && i < set->n; i++) {
		if (!str_eq(set->targets[i].image.path, image.path))
			continue;
		guest_image_free(&image);
		return (int)i + 1;
	}
	if (ret) {
		guest_image_free(&image);
		return ret;
	}
	XGROW(set->targets, set->n);
	set->targets[set->n++] = (struct guest_target){ .image = image };
	return (int)set->n;
}

static int place_arm(struct guest_set *set, size_t arm, const char *word)
{
	auto_free char *path = NULL;
	int ret;

	if (str_eq(word, "host"))
		return 0;
	path = guest_kernel_find(word);
	ret = path ? add_target(set, path) : -ENOENT;
	if (ret < 0)
		return ret;
	set->of_arm[arm] = (size_t)ret;
	return 0;
}

/* All of one kind of machine: guest_image_fits() sees to it. */
static int find_qemu(const struct guest_set *set)
{
	auto_free char *qemu =
		set->n ? guest_vm_program(set->targets[0].image.arch) : NULL;

	return set->n && !qemu ? -ENOTSUP : 0;
}

int guest_set_open(const struct root *root, const struct config *config,
		   struct guest_set *set)
{
	const char *automatic;
	int ret = 0;

	*set = (struct guest_set){ .n_arms = config->n_arms };
	set->of_arm = xcalloc(config->n_arms, sizeof(*set->of_arm));
	automatic = choose(root, config, set);
	for (size_t i = 0; !ret && i < config->n_arms; i++) {
		const char *word = config_kernel(config, &config->arms[i]);

		if (config->workload.program == WORKLOAD_ATTACH &&
		    !str_eq(word, "host"))
			return refuse(-EINVAL,
				      "kernel = %s: program = attach watches a "
				      "process of this machine; host",
				      word);
		ret = place_arm(set, i,
				str_eq(word, "auto") ? automatic : word);
	}
	return ret ? ret : find_qemu(set);
}

int guest_set_try(struct guest_set *set, const struct guest_config *config)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < set->n; i++) {
		struct guest_target *t = &set->targets[i];

		ret = guest_accel_find(&t->image, config->kvm, &t->accel,
				       &t->why);
	}
	return ret;
}

char *guest_target_text(const struct guest_target *t)
{
	const char *kernel =
		t->image.version ? t->image.version : t->image.path;

	if (t->accel == GUEST_KVM)
		return xasprintf("guests of %s run by KVM", kernel);
	return xasprintf("guests of %s are emulated: TPS and times are no "
			 "performance figures; no KVM: %s",
			 kernel, t->why);
}

void guest_set_free(struct guest_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		guest_image_free(&set->targets[i].image);
		free(set->targets[i].why);
	}
	free(set->targets);
	free(set->of_arm);
	free(set->chosen);
	if (set->files.path)
		guest_files_free(&set->files);
	*set = (struct guest_set){ 0 };
}

struct guest_target *guest_set_target(struct guest_set *set, size_t arm)
{
	return set->of_arm[arm] ? &set->targets[set->of_arm[arm] - 1] : NULL;
}

bool guest_set_has_host(const struct guest_set *set)
{
	for (size_t i = 0; i < set->n_arms; i++)
		if (!set->of_arm[i])
			return true;
	return false;
}

static void add_mark(struct experiment *e, char *text)
{
	XGROW(e->marks, e->n_marks);
	e->marks[e->n_marks++] = text;
}

/* A kernel built anew may keep its version, and its path. */
static void add_hash(struct str *out, const char *path)
{
	auto_free char *name = hash_of_file(path);

	str_addf(out, "%s%s", out->len ? " and " : "",
		 name ? name : "not read");
}

void guest_set_note(const struct guest_set *set, const struct config *config,
		    struct experiment *e)
{
	auto_str struct str kernels = { 0 };
	auto_str struct str hashes = { 0 };
	bool is_emulated = false;

	if (!set->n)
		return;
	for (size_t i = 0; i < set->n; i++) {
		const struct guest_image *image = &set->targets[i].image;

		str_addf(&kernels, "%s%s", i ? " and " : "",
			 image->version ? image->version : image->path);
		add_hash(&hashes, image->path);
		is_emulated |= set->targets[i].accel == GUEST_TCG;
	}
	facts_set(&e->host, "accel", is_emulated ? "tcg" : "kvm");
	facts_set(&e->host, "guest_kernels", kernels.text);
	facts_set(&e->host, "guest_images", hashes.text);
	facts_setf(&e->host, "guest_cpus", "%u", config->guest.cpus);
	if (set->chosen)
		facts_set(&e->host, "kernel_choice", set->chosen);
	if (is_emulated)
		add_mark(e, xstrdup("under emulation: TPS and times are no "
				    "performance figures"));
}
