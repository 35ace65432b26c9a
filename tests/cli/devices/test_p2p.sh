#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: lazy several
# Links and traffic between devices: with and without peer access, with a broken link; --devices.
. "$(dirname "$0")/../check.sh"

# fields COLUMNS: of the CSV that was printed, in one line.
fields()
{
    printf '%s\n' "$out" | cut -d, -f"$1" | tr '\n' ' '
}

verified()
{
    checks=$((checks + 1))
    case $out in
    *'"verified": true'*) ;;
    *) fail "$ran: not verified: $out" ;;
    esac
}

if [ "$backend" = cpu ]; then
    HEDDLE_CPU_DEVICES=3
    HEDDLE_CPU_PEERS=0-1,0-2
    HEDDLE_CPU_PEERS_BROKEN=0-2
    export HEDDLE_CPU_DEVICES HEDDLE_CPU_PEERS HEDDLE_CPU_PEERS_BROKEN

    run topology --csv
    equal "paths ($err)" "$(fields 1,2,3,9,10)" \
        "device,peer,link,path,verified 0,1,virtual,direct,true 0,2,virtual,staged,false 1,0,virtual,direct,true 1,2,virtual,staged, 2,0,virtual,staged,false 2,1,virtual,staged, "
    run topology --no-probe --csv --devices 2,0
    equal "paths before a probe ($err)" "$(fields 1,2,9,10)" \
        "device,peer,path,verified 2,0,direct, 0,2,direct, "
    run topology --svg "$scratch/t.svg"
    equal "? is explained where there is none" "$(printf '%s\n' "$out" | grep -c '[?]')" 0
    run topology --no-probe --devices 0,1
    equal "? is explained" "$(printf '%s\n' "$out" | sed -n '/^path/p; /direct/p' | tr -s ' ' |
        tr '\n' ';')" "path of transfers (?: no pattern was sent); 0 - direct?; 1 direct? -;"
    run topology
    equal "the reason" "$(printf '%s\n' "$out" | grep -c '0 - 2: the pattern came back wrong')" 1
    equal "the picture" "$(grep -c '</svg>' "$scratch/t.svg")" 1

    # 16K is staged in the small ring, 1M in chunks; kernels only where the pair is direct.
    run p2p --least 16K --most 1M --runs 1 --json
    equal "exit status ($err)" "$status" 0
    verified
    equal "rows" "$(printf '%s\n' "$out" | grep -c '"pattern"')" 52
    equal "devices of those that all take part in" \
        "$(printf '%s\n' "$out" | grep -c '"\(ring\|all-to-all\)", "from": null, "to": null, ')" 2
    equal "flags" "$(printf '%s\n' "$out" | grep -c '^ {"from"')" 2
    run p2p --least 4000 --most 4000 --runs 1 --csv --devices 1,0 --methods write --svg "$scratch/p.svg"
    equal "CSV ($err)" "$(fields 1-5)" \
        "method,pattern,from,to,bytes write,one-way,1,0,4000 write,both-ways,1,0,8000 write,one-way,0,1,4000 write,both-ways,0,1,8000 write,ring,,,8000 write,all-to-all,,,8000 "
    equal "CSV: verified" "$(fields 8)" "verified true true true true true true "
    equal "the heat map" "$(grep -c '</svg>' "$scratch/p.svg")" 1
    run p2p --least 4K --most 4K --runs 1 --devices 1,0 --methods write --svg "$scratch/p.svg"
    equal "the heat map's title" "$(sed -n 's/.*>\(Bandwidth[^<]*\)<.*/\1/p' "$scratch/p.svg")" \
        "Bandwidth between devices, one way, 4 KiB per transfer"
    run remote --bytes 64K --runs 1 --json
    equal "exit status ($err)" "$status" 0
    verified
    equal "memory that is used" "$(printf '%s\n' "$out" | grep -c '"not_used": null')" 7
    run remote --bytes 64K --runs 1 --csv --devices 0,2
    equal "memory that is not ($err)" "$(printf '%s\n' "$out" | grep -c 'the pattern came back')" 3
    equal "what was not measured is empty" \
        "$(printf '%s\n' "$out" | grep -c '",,,,,,.*the pattern.*,$')" 3
    equal "and what was is verified" "$(printf '%s\n' "$out" | grep -c '[0-9],,true$')" 4
    run remote --bytes 64K --runs 1 --json --devices 0,2
    equal "and null" "$(printf '%s\n' "$out" | grep -c '"load_gbps": null.*"latency": null, "not_used": "')" 3
    run remote --bytes 64K --runs 1
    equal "headings" "$(printf '%s\n' "$out" | sed -n '3,4p' | tr -s ' ' | tr '\n' ';')" \
        "memory loads stores atomics atomics latency; many cells one cell;"
    HEDDLE_P2P=off
    export HEDDLE_P2P
    run p2p --least 4K --most 4K --runs 1 --csv
    equal "all staged ($err)" "$(fields 1,2 | tr ' ' '\n' | sort -u | tr '\n' ' ')" \
        "copy,all-to-all copy,both-ways copy,one-way copy,ring method,pattern "
    unset HEDDLE_P2P
    refused 1 "ranks 0 and 2 (devices 0 and 2): the pattern came back wrong" collectives --p2p on
    refused 1 "--p2p on, but the pattern came back wrong" jacobi --nx 64 --ny 64 --p2p on --devices 0,2
    run jacobi --nx 64 --ny 300 --niter 1 --p2p off --variant all
    equal "--p2p, not its variable ($err)" "$(printf '%s\n' "$out" | grep -c 'not run: .*--p2p off')" 3
    HEDDLE_P2P=on
    export HEDDLE_P2P
    refused 1 "HEDDLE_P2P=on, but the pattern came back wrong" topology --devices 0,2
    unset HEDDLE_P2P HEDDLE_CPU_PEERS HEDDLE_CPU_PEERS_BROKEN
    for format in "" --json --csv; do
        unwritten --svg topology $format
        unwritten --svg p2p --least 4K --most 4K --runs 1 $format
    done
    for most in 4K 16K; do
        run p2p --least 4K --most $most --runs 1 --devices 0,1 --methods copy
        equal "no fit through two sizes ($err)" \
            "$(printf '%s\n' "$out" | sed -n '/^ *fit/p; /^ *latency us/p' | tr -s ' ' | tr '\n' ';')" \
            " fit -; latency us -; fit is off -;"
        equal "and why" "$(printf '%s\n' "$out" |
            grep -c '^latencies and rates are fitted to 3 payloads or more: --least, --most$')" 1
        equal "and no matrix of latencies" \
            "$(printf '%s\n' "$out" | sed -n '/copy, latency/,/^$/p' | grep -c '[0-9][.][0-9]')" 0
        run p2p --least 4K --most $most --runs 1 --devices 0,1 --methods copy --json
        equal "JSON: none" "$(printf '%s\n' "$out" |
            grep -c '"latency": null, "gbps": null, "off": null')" 2
    done
    refused 2 "--svg: results are printed on standard output" topology --svg -
    refused 2 "there is no device 7; devices are 0 to 2" p2p --devices 0,7
    refused 2 "'one' is not a device; devices are 0 to 2" topology --devices one
    refused 2 "'-1' is not a device; devices are 0 to 2" topology --devices 0,-1
    for list in 0-2 0-1,2 0,1-2 all; do
        run topology --no-probe --csv --devices $list
        equal "--devices $list ($err)" "$(fields 1,2)" "device,peer 0,1 0,2 1,0 1,2 2,0 2,1 "
    done
    refused 2 "there is no device 3; devices are 0 to 2" topology --devices 1-4000000000
    refused 2 "the range 2-1 is descending" topology --devices 2-1
    refused 2 "device 1 is listed twice" topology --devices 0-1,1
    refused 2 "'all' cannot be combined with other" topology --devices all,0
    refused 2 "'all' cannot be combined with other" topology --devices 0,all
    refused 2 "3 given, 2 are needed" remote --devices 0,1,2
    HEDDLE_DEVICES= refused 1 "HEDDLE_DEVICES is empty" topology
    HEDDLE_DEVICES= refused 1 "HEDDLE_DEVICES is empty" topology --devices 0
    HEDDLE_DEVICES=0,9 refused 1 "HEDDLE_DEVICES=0,9: there is no device 9; devices are 0 to 2" topology
    HEDDLE_DEVICES=0,0 refused 1 "HEDDLE_DEVICES=0,0: device 0 is listed twice" topology
    HEDDLE_DEVICES=one refused 1 "HEDDLE_DEVICES=one is not a list of device numbers" topology
    refused 2 "'copy' is listed twice" p2p --methods copy,copy
    refused 2 "device 1 is listed twice" p2p --devices 1,0,1
    refused 2 "'' is not a device; use a list such as 0,3 or 0-3, or all" p2p --devices 0,
    for command in p2p remote collectives; do
        refused 2 "$command: --devices: 1 given, 2 are needed; devices are 0 to 2" $command --devices 2
        HEDDLE_CPU_DEVICES=1 refused 1 "there is 1 device; 2 are needed (on the CPU set HEDDLE_CPU_DEVICES=2)" \
            $command
        HEDDLE_CPU_DEVICES=1 refused 1 "there is 1 device; 2 are needed (on the CPU set HEDDLE_CPU_DEVICES=2)" \
            $command --devices 0
    done
    # Both always verify: asking for it changes nothing, and nobody goes without.
    for command in "p2p --least 4K --most 4K --devices 0,1" "remote --bytes 4K"; do
        run $command --runs 1 --verify
        equal "$ran: status, verdict ($err)" "$status/$(printf '%s\n' "$out" | tail -n 1)" "0/verified: true"
        refused 2 "--no-verify: what arrives is always compared with what was sent" $command --no-verify
        run ${command%% *} --help
        equal "$ran: says so" "$(printf '%s\n' "$out" | grep -c '^  --verify .* always done$')" 1
    done
    refused 2 "--least is more than --most" p2p --least 1M --most 1K
    refused 2 "--methods: unknown 'rea', did you mean 'read'?" p2p --methods rea
else
    run topology --json
    equal "exit status ($err)" "$status" 0
    if [ "$(printf '%s\n' "$out" | grep -c '"bus_id"')" -gt 1 ]; then
        run p2p --most 4M --runs 1 --json
        equal "exit status ($err)" "$status" 0
        verified
        run remote --bytes 4M --runs 1 --json
        equal "exit status ($err)" "$status" 0
        verified
    fi
fi
finish
