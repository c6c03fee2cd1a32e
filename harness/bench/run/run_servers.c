/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/run_servers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"

/* The index of the server of this name, found if it is new; -errno. */
static int find(struct run_servers *s, const char *mariadbd, size_t *index)
{
	const struct server_config c = { .mariadbd = (char *)mariadbd };
	struct server_program program;
	int ret;

	for (*index = 0; *index < s->n; (*index)++)
		if (str_eq(s->list[*index].mariadbd, mariadbd))
			return 0;
	ret = server_find(&c, &program);
	if (ret)
		return ret;
	XGROW(s->list, s->n);
	s->list[s->n++] = (struct run_server){
		.mariadbd = xstrdup(mariadbd),
		.program = program,
	};
	return 0;
}

int run_servers_find(const struct config *config, struct run_servers *out)
{
	int ret = 0;

	*out = (struct run_servers){ 0 };
	out->of_arm = xcalloc(config->n_arms, sizeof(*out->of_arm));
	for (size_t i = 0; i < config->n_arms && !ret; i++)
		ret = find(out, config_mariadbd(config, &config->arms[i]),
			   &out->of_arm[i]);
	out->current = out->n;
	return ret;
}

int run_servers_prepare(struct run_servers *s, const struct run_shared *sh,
			void (*tell)(const char *what))
{
	int ret = 0;

	for (size_t i = 0; i < s->n && !ret; i++)
		ret = prepared_get(sh->root, sh->config, &s->list[i].program,
				   sh->journal, tell, &s->list[i].prepared);
	return ret;
}

static void take_out(struct run_servers *s, struct run_shared *sh)
{
	if (s->current < s->n)
		s->list[s->current].data_dir = sh->data_dir;
	sh->program = (struct server_program){ 0 };
	sh->prepared = (struct prepared){ 0 };
	sh->data_dir = NULL;
}

bool run_servers_enter(struct run_servers *s, size_t arm, struct run_shared *sh)
{
	size_t wanted = s->n ? s->of_arm[arm] : 0;
	bool is_other = s->n && wanted != s->current;
	const struct run_server *server;

	if (!is_other)
		return false;
	take_out(s, sh);
	server = &s->list[wanted];
	sh->program = server->program;
	sh->prepared = server->prepared;
	sh->data_dir = server->data_dir;
	s->current = wanted;
	return true;
}

void run_servers_leave(struct run_servers *s, struct run_shared *sh)
{
	take_out(s, sh);
	s->current = s->n;
	for (size_t i = 0; i < s->n; i++) {
		if (s->list[i].data_dir)
			tree_remove(s->list[i].data_dir);
		free(s->list[i].data_dir);
		s->list[i].data_dir = NULL;
	}
}

void run_servers_note(const struct run_servers *s, const struct config *config,
		      struct experiment *e)
{
	for (size_t i = 0; s->n && i < config->n_arms; i++)
		if (config->arms[i].mariadbd)
			facts_setf(&e->arms[i].settings, "mariadbd", "%s, %s",
				   config->arms[i].mariadbd,
				   s->list[s->of_arm[i]].program.version);
}

void run_servers_free(struct run_servers *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->list[i].mariadbd);
		server_program_free(&s->list[i].program);
		prepared_free(&s->list[i].prepared);
		free(s->list[i].data_dir);
	}
	free(s->list);
	free(s->of_arm);
	*s = (struct run_servers){ 0 };
}
