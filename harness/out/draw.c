/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/draw.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paths.h"
#include "base/proc.h"
#include "out/about.h"
#include "out/wrap.h"

enum { WIDTH_PX = 900, CAPTION_COLUMNS = 120 };
/* A plot takes it a second or less; of 1000 runs a few. */
#define LIMIT_NS (60 * NUM_NS_PER_S)

const char *const draw_forms[] = {
	[DRAW_SVG] = "svg",
	[DRAW_PNG] = "png",
};
const size_t n_draw_forms = ARRAY_SIZE(draw_forms);

int draw_form_parse(const char *word)
{
	for (size_t i = 0; i < n_draw_forms; i++)
		if (str_eq(draw_forms[i], word))
			return (int)i;
	return -1;
}

static void note_workload(const struct experiment *e, struct plot *p)
{
	auto_free char *workload = about_workload(e);
	auto_free char *server = about_server(e);

	table_note(&p->notes, "Server: %s. Workload: %s.", server, workload);
}

/* The lines below the plot. */
static void add_caption(struct plot *p)
{
	struct plot_list lines = { 0 };

	for (size_t i = 0; i < p->notes.n_notes; i++) {
		auto_free char *text = wrap_ascii(p->notes.notes[i]);
		const char *rest = text;

		while (*rest) {
			size_t skip;
			size_t n = wrap_take(rest, CAPTION_COLUMNS, &skip);
			auto_free char *line = xstrndup(rest, n);

			plot_list_text(&lines, line);
			rest += n + skip;
		}
	}
	plot_list_end(p, "caption", &lines);
}

/* Add a script of ours. */
static int add_script(const char *name, struct str *out)
{
	auto_free char *path = paths_find(name);
	auto_free char *text = NULL;
	int ret;

	if (!path)
		return -ENOENT;
	ret = file_read(path, &text, NULL);
	if (ret < 0)
		return fail(ret, "%s", path);
	str_addf(out, "\n# --- %s ---\n", name);
	str_add(out, text);
	return 0;
}

/* All that gnuplot reads: settings, the look, the script of the plot. */
static int make_script(const struct draw_what *what, enum draw_form form,
		       struct plot *p, struct str *out)
{
	auto_free char *title = xasprintf("%s: %s", what->name, what->help);
	auto_free char *file = xasprintf("%s.%s", what->name, draw_forms[form]);
	auto_free char *data = xasprintf("%s.tsv", what->name);
	int ret;

	add_caption(p);
	plot_text(p, "form", draw_forms[form]);
	plot_text(p, "out", file);
	plot_text(p, "data", data);
	plot_text(p, "plot_name", what->name);
	plot_text(p, "title", title);
	plot_text(p, "subtitle", what->subtitle);
	plot_number(p, "width", WIDTH_PX);
	plot_number(p, "body_px", p->body_px);
	str_addf(out,
		 "# Made by thpbench plot; draw it again with: gnuplot %s.gp\n"
		 "n_legend = 0\nlegend_px = 0\nkey_rows = 0\n",
		 what->name);
	str_add(out, p->settings.text);
	ret = add_script("common.gp", out);
	return ret < 0 ? ret : add_script(what->script, out);
}

static int write_file(const char *dir, const char *name, const char *ending,
		      const char *text)
{
	auto_free char *path = xasprintf("%s/%s.%s", dir, name, ending);
	int ret = file_publish(path, text ? text : "");

	return ret < 0 ? fail(ret, "%s", path) : 0;
}

/* What gnuplot said, in one line: its last that is not empty. */
static char *last_words(const char *path)
{
	char *text = file_tail(path, 4);

	for (char *c = text; *c; c++)
		if (*c == '\n')
			*c = ' ';
	return text;
}

static int run_gnuplot(const char *dir, const char *name)
{
	auto_free char *program = proc_find_program("gnuplot");
	auto_free char *script = xasprintf("%s.gp", name);
	const char *const argv[] = { program, "-d", script, NULL };
	const char *const env[] = { "LC_ALL=C", NULL };
	auto_free char *log = NULL;
	auto_close int fd = file_unnamed(&log);
	struct proc_spec spec = {
		.argv = argv,
		.env = env,
		.dir = dir,
		.out_fd = fd,
		.stops = true,
	};
	auto_free char *words = NULL;
	int wstatus;
	int ret;

	if (!program)
		return refuse(-ENOENT, "plot: there is no gnuplot; apt-get "
				       "install gnuplot-nox");
	if (fd < 0)
		return fail(fd, "plot: a file for what gnuplot says");
	ret = proc_run(&spec, LIMIT_NS, &wstatus);
	if (ret == -EINTR)
		return ret;
	if (ret < 0)
		return fail(ret, "plot: %s %s/%s", program, dir, script);
	words = last_words(log);
	if (wstatus)
		return refuse(-EIO, "plot: gnuplot %s/%s: %s", dir, script,
			      words);
	if (*words)
		warn("gnuplot %s/%s: %s", dir, script, words);
	return 0;
}

/* Half a picture is none. */
static void remove_picture(const char *dir, const char *name,
			   enum draw_form form)
{
	auto_free char *path =
		xasprintf("%s/%s.%s", dir, name, draw_forms[form]);

	unlink(path);
}

int draw_made(struct plot *p, const struct draw_what *what, const char *dir,
	      enum draw_form form)
{
	auto_str struct str script = { 0 };
	int ret = make_script(what, form, p, &script);
	struct stop stop;

	if (!ret)
		ret = write_file(dir, what->name, "tsv", p->data.text);
	if (!ret)
		ret = write_file(dir, what->name, "gp", script.text);
	if (ret)
		return ret;
	stop_hold(&stop);
	ret = run_gnuplot(dir, what->name);
	if (ret)
		remove_picture(dir, what->name, form);
	stop_release(&stop);
	return ret;
}

int draw_plot(const struct experiment *e, const struct plot_maker *maker,
	      const char *dir, enum draw_form form, char **why)
{
	const struct draw_what what = {
		.name = maker->name,
		.help = maker->help,
		.subtitle = e->title && *e->title ? e->title : e->id,
		.script = maker->script,
	};
	struct plot p;
	int ret;

	plot_begin(&p);
	maker->make(e, &p);
	note_workload(e, &p);
	if (p.missing) {
		*why = xstrdup(p.missing);
		ret = 0;
	} else {
		ret = draw_made(&p, &what, dir, form);
		ret = ret < 0 ? ret : 1;
	}
	plot_free(&p);
	return ret;
}
