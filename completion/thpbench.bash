# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of thpbench(1) for bash. tests/check-docs keeps it in step.
_thpbench() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local sub=${COMP_WORDS[1]} words='' kind=files

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		words='check plan run restore report compare plot claims import lint
			probe history guest server help --help --version'
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return
	fi
	case $prev in
	--table | -t)
		words='memory tps latency origin how-quickly cost points benchmarks
			medians verdicts hosts power diagnostics settings mappings collapse
			damos counters walks software timeline' ;;
	--format | -f)
		words='text markdown csv html json'
		[[ $sub != plot ]] || words='svg png'
		[[ $sub != history ]] || words='text csv json svg png'
		[[ $sub != claims && $sub != compare ]] ||
			words='text markdown csv json'
		;;
	--order) words='kernel time' ;;
	--git) kind=folders ;;
	--style) words='thpbench fastpath mmtests damon' ;;
	--name | -n)
		words='timeline tps effect tuner tlb mappings latency' ;;
	--root | --output | -o)
		[[ $sub == probe && $prev != --root ]] || kind=folders ;;
	--kvm) words='auto off' ;;
	--arch) words='amd64 arm64' ;;
	--published | -p)
		words='damos-collapse-v1 damos-collapse-v2
			hugepage-autotune-final-shares hugepage-autotune-rfc3
			khugepaged-nonwritable-v2'
		;;
	--kernel)
		[[ $sub != history ]] || return
		[[ $cur == */* ]] || words='host guest auto'
		;;
	--host | --config | --since | --magnitude) return ;;
	--blocks | --arm | --metric | -m | --margin | --cv | --pilot | --shard | --by | --window | \
		--measured | --baseline | --memory | --cpus | --cmdline | \
		--limit | --boot-limit)
		return ;;
	*)
		case $sub in
		check) words='--json --probe --kernel' ;;
		plan) words='--writes --blocks --json --cv --shard' ;;
		run)
			words='--output --arm --blocks --pilot --kernel --resume
				--shard --wait'
			;;
		report) words='--table --format' kind=folders ;;
		plot) words='--output --format --name' kind=folders ;;
		claims) words='--published --format' kind=folders ;;
		compare)
			words='--metric --arm --margin --rules --style --format
				--emulated --dunnett'
			kind=folders
			;;
		lint) words='--json' ;;
		history)
			words='--store --host --config --arm --metric --kernel
				--order --since --magnitude --baseline
				--margin --move --git --output --format'
			kind=folders
			if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then
				mapfile -t COMPREPLY < <(compgen -W \
					'add list show check plot bisect pin gate' \
					-- "$cur")
				return
			fi
			;;
		import)
			words='--output --by --window --measured --baseline'
			if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then
				mapfile -t COMPREPLY < <(compgen -W \
					'sysbench gobench benchstat gbench
					mmtests mmtests-results fastpath perf
					perf-csv csv' -- "$cur")
				return
			fi
			;;
		probe)
			words='--kernel --output --compare --json'
			if [[ $cur != -* && $cur != */* ]]; then
				words='host guest collapse collapse-never
					collapse-disabled collapse-except
					collapse-nohugepage collapse-readonly
					collapse-one-page collapse-empty
					collapse-hole collapse-part
					collapse-shmem collapse-file
					collapse-ramfs collapse-other
					hugepage-other
					collapse-stress khugepaged
					khugepaged-readonly fault-always
					fault-madvise fault-advised fault-never
					fault-disabled fault-except
					mmap-aligned damos-hugepage
					damos-collapse tlb'
				mapfile -t COMPREPLY < <(compgen -W "$words" \
					-- "$cur"
					compgen -f -- "$cur")
				return
			fi
			;;
		guest)
			words='--memory --cpus --cmdline --kvm --limit
				--boot-limit --add --console --arch --modules
				--json'
			if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then
				mapfile -t COMPREPLY < <(compgen -W \
					'fetch list boot shell' -- "$cur")
				return
			fi
			;;
		server) words='fetch list --json' kind='' ;;
		help) words='--names --metrics check plan run restore report
			compare plot claims import lint probe history guest server
			help'
			kind=''
			;;
		esac
		words+=' --root --help'
		[[ $cur == -* || $kind == '' ]] || words=''
		;;
	esac
	if [[ $words ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	elif [[ $kind == folders ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}
complete -F _thpbench thpbench ./thpbench
