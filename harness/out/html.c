/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/html.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "data/extra.h"
#include "out/csv.h"
#include "out/json.h"

void html_text(struct str *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			str_add(out, "&lt;");
			break;
		case '>':
			str_add(out, "&gt;");
			break;
		case '&':
			str_add(out, "&amp;");
			break;
		case '"':
			str_add(out, "&quot;");
			break;
		default:
			str_addc(out, (unsigned char)*text < ' ' ? ' ' : *text);
		}
	}
}

/* RFC 2397 and RFC 3986: what is not unreserved is a % and two digits. */
static void add_percent_encoded(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			str_addc(out, *text);
		else
			str_addf(out, "%%%02X", (unsigned char)*text);
	}
}

void html_download(struct str *out, const char *file, const char *type,
		   const char *text)
{
	str_add(out, "<a class=\"download\" download=\"");
	html_text(out, file);
	str_addf(out, "\" href=\"data:%s;charset=utf-8,", type);
	add_percent_encoded(out, text);
	str_add(out, "\">");
	html_text(out, file);
	str_add(out, "</a>");
}

/* No grid, no variables: engines of ten years ago show it too. */
static const char style[] =
	"body { font: 15px/1.4 Helvetica, Arial, sans-serif; color: #111; "
	"max-width: 62em; margin: 1.5em auto; padding: 0 1em; }\n"
	"h2 { font-size: 1.15em; margin: 2em 0 .4em; border-bottom: 1px solid "
	"#888; }\n"
	"article > section:first-child h2 { font-size: 1.6em; }\n"
	"table { border-collapse: collapse; margin: .6em 0; }\n"
	"th, td { padding: .15em .8em; text-align: right; vertical-align: top; "
	"}\n"
	"th.left, td.left { text-align: left; }\n"
	"thead th { border-bottom: 2px solid #111; }\n"
	"thead small { color: #555; font-weight: normal; }\n"
	"tbody tr:nth-child(even) { background: #f3f3f3; }\n"
	"td.missing, td.again { color: #777; }\n"
	"ul, ol { margin: .3em 0; color: #333; font-size: .9em; }\n"
	"svg { display: block; width: 100%; max-width: 900px; height: auto; }\n"
	"figure { margin: 1em 0 2em; page-break-inside: avoid; }\n"
	"a.download { font-size: .85em; margin-right: 1em; }\n"
	"pre { background: #f3f3f3; padding: .6em; overflow: auto; }\n";

void html_begin(struct str *out)
{
	str_add(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		"<meta charset=\"utf-8\"/>\n"
		"<meta name=\"viewport\" content=\"width=device-width\"/>\n"
		"<title>thpbench report</title>\n<style>\n");
	str_add(out, style);
	str_add(out, "</style>\n</head>\n<body>\n");
}

void html_end(struct str *out)
{
	str_add(out, "</body>\n</html>\n");
}

/* How many characters of a tag belong to an id that is named there. */
static size_t id_prefix_length(const char *p)
{
	static const char *const forms[] = {
		"id='", "id=\"", "href='#", "href=\"#", "url(#", "url('#",
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (str_starts(p, forms[i]))
			return strlen(forms[i]);
	return 0;
}

void html_svg(struct str *out, const char *svg, const char *prefix)
{
	const char *p = strstr(svg, "<svg");
	bool is_in_tag = false;

	while (p && *p) {
		size_t n = is_in_tag ? id_prefix_length(p) : 0;

		if (n) {
			str_addn(out, p, n);
			str_addf(out, "%s-", prefix);
			p += n;
			continue;
		}
		if (*p == '<' || *p == '>')
			is_in_tag = *p == '<';
		str_addc(out, *p++);
	}
}

static void add_value(const struct run *run, const char *label,
		      const struct metric *m, struct str *out)
{
	const struct value *v = run_value(run, m->name);

	str_addf(out, "%u,%u,", run->number, run->block);
	csv_field(out, label);
	str_addf(out, ",%u,%s,%s,%s,", run->attempt, run_state_text(run->state),
		 m->name, m->unit);
	if (v->is_there)
		str_addf(out, "%.9g,", v->number);
	else
		str_add(out, "n/a,");
	csv_field(out, v->is_there || !v->why ? "" : v->why);
	str_addc(out, '\n');
}

static void runs_csv(const struct experiment *e, struct str *out)
{
	str_add(out, "run,block,arm,attempt,state,metric,unit,value,missing\n");
	for (size_t i = 0; i < e->n_runs; i++)
		for (size_t k = 0; k < extra_count(e); k++)
			add_value(&e->runs[i], e->arms[e->runs[i].arm].label,
				  extra_at(e, k), out);
}

void html_downloads(const struct experiment *e, struct str *out)
{
	auto_str struct str csv = { 0 };
	auto_str struct str json = { 0 };
	const char *config = e->config_text ? e->config_text : "";

	runs_csv(e, &csv);
	json_experiment(e, NULL, 0, &json);
	str_add(out, "<section class=\"raw\">\n<h2>raw numbers</h2>\n<p>");
	html_download(out, "runs.csv", "text/csv", csv.text);
	html_download(out, "experiment.json", "application/json", json.text);
	html_download(out, "experiment.conf", "text/plain", config);
	str_add(out, "</p>\n<ul><li>runs.csv: every metric of every run, or "
		     "why it is missing. experiment.json: the same with "
		     "settings and changes.</li></ul>\n");
	html_raw(e, out);
	str_add(out, "<details><summary>configuration</summary>\n<pre>");
	/* Its lines stay lines. */
	for (const char *line = config; *line;) {
		size_t n = strcspn(line, "\n");
		auto_free char *one = xstrndup(line, n);

		html_text(out, one);
		str_addc(out, '\n');
		line += n + (line[n] == '\n');
	}
	str_add(out, "</pre>\n</details>\n</section>\n");
}
