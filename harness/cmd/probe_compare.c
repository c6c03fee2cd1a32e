/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench probe: where answers come from, and two of them side by side. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/guest_kernel.h"
#include "cmd/cmd.h"
#include "cmd/probe.h"
#include "out/answers.h"

/* A terminal sees what is going on: some take seconds. */
static void tell(const struct probe *p)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "thpbench: probe %s\n", p->name);
}

static int from_host(const struct probe_choice *c, struct answers *out)
{
	struct root root;
	int ret = root_open(cmd_root(), &root);

	if (ret)
		return err_status(fail(ret, "--root %s", cmd_root()));
	ret = probe_run(&root, c->list, c->n, tell, out);
	root_close(&root);
	return ret;
}

static int from_guest(const struct probe_choice *c, const char *kernel,
		      struct answers *out)
{
	auto_free char *image = guest_kernel_find(kernel);

	if (image && isatty(STDERR_FILENO))
		fprintf(stderr, "thpbench: %zu probes in a guest of %s\n", c->n,
			image);
	return image ? probe_guest(image, c->list, c->n, out) : STATUS_NO_INPUT;
}

/* By its first byte: no kernel begins like JSON. */
static bool is_kept(const char *path)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	char c;

	return fd >= 0 && read(fd, &c, 1) == 1 && c == '{';
}

static int from_file(const struct probe_choice *c, const char *path,
		     struct answers *out)
{
	auto_free const char **names = xcalloc(c->n, sizeof(*names));
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	int ret = file_read(path, &text, NULL);

	if (ret)
		return err_status(fail(ret, "%s", path));
	if (answers_parse(text, out, &why))
		return refuse(STATUS_DATA, "%s: %s", path, why);
	for (size_t i = 0; i < c->n; i++)
		names[i] = c->list[i]->name;
	/* All: also those that this version does not have. */
	if (c->n < n_probes)
		answers_keep(out, names, c->n);
	return STATUS_OK;
}

int probe_answers(const struct probe_choice *c, const char *from,
		  struct answers *out)
{
	*out = (struct answers){ 0 };
	if (str_eq(from, "host"))
		return from_host(c, out);
	if (is_kept(from))
		return from_file(c, from, out);
	return from_guest(c, from, out);
}

static void print(const struct probe_choice *c, const struct answers *a,
		  const struct answers *b)
{
	auto_str struct str text = { 0 };
	struct table t;

	if (c->is_json) {
		answers_compare_json(a, b, &text);
	} else {
		answers_compare(a, b, &t);
		table_print(&t, "", TABLE_TEXT, &text);
		table_free(&t);
	}
	fputs(text.text, stdout);
}

int probe_compare(const struct probe_choice *c, const char *a, const char *b)
{
	struct answers left = { 0 };
	struct answers right = { 0 };
	int status = probe_answers(c, a, &left);

	if (!status)
		status = probe_answers(c, b, &right);
	if (!status)
		print(c, &left, &right);
	answers_free(&left);
	answers_free(&right);
	return status;
}
