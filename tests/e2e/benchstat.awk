# Does `report --table medians --format csv` (the first file) say what benchstat
# printed (the second)? Medians and changes to the digits that it printed,
# "± 9%" exactly, p and n too. Prints what differs, and the number of rows.
BEGIN { bad = 0; n = 0; FS = "," }

function scale(unit) {
	if (unit ~ /^Gi/) return 2 ^ 30
	if (unit ~ /^Mi/) return 2 ^ 20
	if (unit ~ /^n/) return 1e-9
	if (unit ~ /^µ/) return 1e-6
	if (unit ~ /^m/) return 1e-3
	return 1
}

# Of what we have: ns/op as sec/op, MB/s as B/s.
function ours(unit) { return unit == "ns/op" ? 1e-9 : unit == "MB/s" ? 1e6 : 1 }

# Is value what is printed as text with unit, to its last digit?
function same(value, text, unit,    decimals, point) {
	point = index(text, ".")
	decimals = point ? length(text) - point : 0
	return (d = value / scale(unit) - text) < 0.51 * 10 ^ -decimals && \
		d > -0.51 * 10 ^ -decimals
}

function differs(what, row, printed, found) {
	print row ": " what " " printed ", not " found
	bad++
}

FNR == NR {
	if (FNR == 1) next
	name = $3
	sub(/:[^:]*$/, "", name)
	kind = $4 == "MB/s" ? "B/s" : "sec/op"
	key = name SUBSEP kind
	side = $6 == first ? 1 : 2
	f = ours($4)
	median[key, side] = $7 * f
	low[key, side] = $8
	high[key, side] = $9
	centre[key, side] = $7
	change[key] = $10
	p[key] = $11
	count[key] = $12
	next
}

/sec\/op/ { kind = "sec/op"; next }
/B\/s/ { kind = "B/s"; next }

# NAME 46.55n ± 9% 44.40n ± 2% -4.62% (p=0.008 n=10)
{
	line = $0
	# Not as a class: an awk of bytes would take half of ± with it.
	gsub(/¹/, "", line)
	gsub(/²/, "", line)
	m = split(line, word, " ")
	if (m < 8 || word[3] != "±" || word[6] != "±") next
	key = word[1] SUBSEP kind
	row = word[1] " " kind
	n++
	for (side = 1; side <= 2; side++) {
		text = word[side == 1 ? 2 : 5]
		number = text
		gsub(/[^0-9.]/, "", number)
		unit = text
		gsub(/[0-9.]/, "", unit)
		if (!same(median[key, side], number, unit))
			differs("median", row, text, median[key, side])
		spread = word[side == 1 ? 4 : 7]
		if (spread == "∞") {
			if (low[key, side] != "n/a")
				differs("interval", row, spread, low[key, side])
			continue
		}
		c = centre[key, side]
		most = high[key, side] / c - 1
		if (1 - low[key, side] / c > most) most = 1 - low[key, side] / c
		if (sprintf("%.0f%%", 100 * most) != spread)
			differs("interval", row, spread, 100 * most)
	}
	delta = word[8]
	sub(/%$/, "", delta)
	if (delta != "~" && delta != change[key])
		differs("change", row, delta, change[key])
	said = line
	sub(/.*\(p=/, "", said)
	split(said, part, " ")
	if (part[1] != p[key]) differs("p", row, part[1], p[key])
	runs = part[2]
	gsub(/[^0-9]/, "", runs)
	if (runs != count[key]) differs("n", row, runs, count[key])
}

END {
	print n " rows"
	exit bad || n != expected
}
