/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/load/load_command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/paths.h"
#include "bench/config/config.h"

/* Append "fmt" to a list that keeps a NULL behind its last element. */
__attribute__((format(printf, 3, 0))) static void
append(char ***list, size_t *n, const char *fmt, va_list ap)
{
	char *text = xvasprintf(fmt, ap);

	*list = xrealloc(*list, (*n + 2) * sizeof(**list));
	(*list)[(*n)++] = text;
	(*list)[*n] = NULL;
}

void load_command_arg(struct load_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append(&c->argv, &c->n_argv, fmt, ap);
	va_end(ap);
}

void load_command_env(struct load_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	append(&c->env, &c->n_env, fmt, ap);
	va_end(ap);
}

void load_command_free(struct load_command *c)
{
	for (size_t i = 0; i < c->n_argv; i++)
		free(c->argv[i]);
	for (size_t i = 0; i < c->n_env; i++)
		free(c->env[i]);
	free(c->argv);
	free(c->env);
	*c = (struct load_command){ 0 };
}

int load_memtouch_command(const struct workload_config *w,
			  const struct arm *arm, struct load_command *out)
{
	char *program = paths_find("memtouch");

	if (!program)
		return -ENOENT;
	load_command_arg(out, "%s", program);
	free(program);
	load_command_arg(out, "--bytes=%llu",
			 (unsigned long long)w->memtouch_bytes);
	load_command_arg(out, "--pattern=%s", w->memtouch_pattern);
	load_command_arg(out, "--threads=%u", w->threads);
	for (size_t i = 0; i < w->options.n; i++)
		load_command_arg(out, "--%s=%s", w->options.list[i].name,
				 w->options.list[i].value);
	for (size_t i = 0; arm && i < arm->env.n; i++)
		load_command_env(out, "%s=%s", arm->env.list[i].name,
				 arm->env.list[i].value);
	return 0;
}
