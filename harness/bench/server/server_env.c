/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment of a server: libraries, arm, and THP left on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/paths.h"
#include "bench/server/server_parts.h"

/* Before what the variable holds: in env, or else with us. */
static void prepend(struct facts *env, const char *name, const char *value)
{
	const char *old = facts_get(env, name);

	if (!old[0])
		old = getenv(name);
	if (old && old[0])
		facts_setf(env, name, "%s:%s", value, old);
	else
		facts_set(env, name, value);
}

void server_env_libs(const struct server_program *program, struct facts *env)
{
	if (program->lib_path)
		prepend(env, "LD_LIBRARY_PATH", program->lib_path);
}

int server_env(const struct server_program *program, const struct arm *arm,
	       enum thp_disable thp_disable, struct facts *env)
{
	auto_free char *keep = NULL;

	if (arm)
		facts_copy(env, &arm->env);
	server_env_libs(program, env);
	if (thp_disable != THP_DISABLE_BLOCK)
		return 0;
	keep = paths_find("libthpkeep.so");
	if (!keep)
		return -ENOENT;
	/* ld.so(8): blanks and colons part the list; there is no escape. */
	if (strpbrk(keep, " :"))
		return refuse(-EINVAL,
			      "%s: LD_PRELOAD cannot name a path with a blank "
			      "or colon",
			      keep);
	prepend(env, "LD_PRELOAD", keep);
	return 0;
}

const char **server_env_list(const struct facts *env)
{
	size_t room = (env->n + 1) * sizeof(char *);
	const char **list;
	char *text;

	for (size_t i = 0; i < env->n; i++)
		room += strlen(env->list[i].name) + strlen(env->list[i].value) +
			2;
	list = xmalloc(room);
	text = (char *)(list + env->n + 1);
	for (size_t i = 0; i < env->n; i++) {
		list[i] = text;
		text = stpcpy(text, env->list[i].name);
		*text++ = '=';
		text = stpcpy(text, env->list[i].value) + 1;
	}
	list[env->n] = NULL;
	return list;
}
