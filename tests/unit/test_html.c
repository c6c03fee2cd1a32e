/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of pages: escapes, links that hold data, pictures side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "out/html.h"
#include "out/table.h"

struct row {
	const char *in;
	const char *out;
};

static void check_text(void **state)
{
	const struct row *row = *state;
	struct str out = { 0 };

	html_text(&out, row->in);
	assert_string_equal(out.text ? out.text : "", row->out);
	str_free(&out);
}

static void check_svg(void **state)
{
	const struct row *row = *state;
	struct str out = { 0 };

	html_svg(&out, row->in, "p");
	assert_string_equal(out.text ? out.text : "", row->out);
	str_free(&out);
}

static void download(void **state)
{
	struct str out = { 0 };

	(void)state;
	html_download(&out, "a\"b.csv", "text/csv", "x,\"1 %\"\n\xc3\xa9<");
	assert_string_equal(out.text,
			    "<a class=\"download\" download=\"a&quot;b.csv\" "
			    "href=\"data:text/csv;charset=utf-8,"
			    "x%2C%221%20%25%22%0A%C3%A9%3C\">"
			    "a&quot;b.csv</a>");
	str_free(&out);
}

static void table(void **state)
{
	struct str out = { 0 };
	struct table t;

	(void)state;
	table_begin(&t, "tps", "a <title>");
	table_column(&t, "arm", "", true);
	table_column(&t, "TPS", "1/s", false);
	t.is_grouped = true;
	table_cell(&t, "T n");
	table_cell(&t, "1.5");
	table_cell(&t, "T n");
	table_missing(&t, "no & why");
	table_note(&t, "n: 2.");
	table_print(&t, "id", TABLE_HTML, &out);
	assert_string_equal(
		out.text,
		"<section class=\"table\">\n<h2>tps: a &lt;title&gt;</h2>\n"
		"<table>\n<thead><tr><th class=\"left\">arm</th><th>TPS<br/>"
		"<small>1/s</small></th></tr></thead>\n<tbody>\n"
		"<tr><td class=\"left\">T n</td><td class=\"right\">1.5</td>"
		"</tr>\n<tr><td class=\"left again\">T n</td>"
		"<td class=\"right missing\">n/a<sup>(1)</sup></td></tr>\n"
		"</tbody>\n</table>\n<a class=\"download\" "
		"download=\"tps.csv\" href=\"data:text/csv;charset=utf-8,"
		"table%2Cexperiment%2Carm%2CTPS%20%281%2Fs%29%2Cmissing%0A"
		"tps%2Cid%2CT%20n%2C1.5%2C%0A"
		"tps%2Cid%2CT%20n%2Cn%2Fa%2CTPS%3A%20no%20%26%20why%0A\">"
		"tps.csv</a>\n<ol>\n<li>no &amp; why</li>\n</ol>\n"
		"<ul>\n<li>n: 2.</li>\n</ul>\n</section>\n");
	table_free(&t);
	str_free(&out);
}

#define TEXT(name, in, out)                                                    \
	{                                                                      \
		"text " name, check_text, NULL, NULL, &(struct row)            \
		{                                                              \
			in, out                                                \
		}                                                              \
	}
#define SVG(name, in, out)                                                     \
	{                                                                      \
		"svg " name, check_svg, NULL, NULL, &(struct row)              \
		{                                                              \
			in, out                                                \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT("plain", "T n, D h", "T n, D h"),
		TEXT("markup", "<b a=\"1\">&</b>",
		     "&lt;b a=&quot;1&quot;&gt;&amp;&lt;/b&gt;"),
		TEXT("control", "a\tb\nc\x01", "a b c "),
		SVG("no picture", "text", ""),
		SVG("declaration is cut off", "<?xml?>\n<svg></svg>",
		    "<svg></svg>"),
		SVG("ids", "<svg><g id='a'/><g id=\"b\"/></svg>",
		    "<svg><g id='p-a'/><g id=\"p-b\"/></svg>"),
		SVG("references",
		    "<svg><use xlink:href='#a' x='url(#b)'/></svg>",
		    "<svg><use xlink:href='#p-a' x='url(#p-b)'/></svg>"),
		SVG("not in texts", "<svg><text>id='a' url(#b)</text></svg>",
		    "<svg><text>id='a' url(#b)</text></svg>"),
		cmocka_unit_test(download),
		cmocka_unit_test(table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
