# shellcheck shell=sh
# Runs steps side by side and prints each one's output whole when it ends.
#
#   . scripts/steps.sh
#   queue first                  steps from here on run one after another, on the first lane, which then helps with the others
#   step NAME COMMAND…
#   queue shared                 steps from here on are taken by whichever lane is free
#   step NAME COMMAND…
#   also NAME COMMAND…           runs after the step before it, on the same lane: the two share files
#   run_steps                    runs them; 1 when any failed or did not end. LANES (2) is how many run at a time. The ends of what
#                                failed are printed once more at the very end, where a log that is cut still has them. TIMES=FILE keeps
#                                the table of times in a file, when all passed
#
# Only functions may be commands, or commands without arguments that hold spaces.
steps=$(mktemp -d)
trap 'rm -rf "$steps"' EXIT
# Processes in the background do not see an interrupt by themselves.
trap 'trap - TERM; rm -rf "$steps"; kill 0' INT TERM
mkdir "$steps/first" "$steps/shared"
number=100
count=0
queued=first

queue() {
    queued=$1
}

step() {
    number=$((number + 1))
    also "$@"
}

also() {
    count=$((count + 1))
    name=$1
    shift
    printf '%s\t%s\n' "$name" "$*" >>"$steps/$queued/$number"
}

# locked COMMAND…: one lane at a time. A folder is made by one only.
locked() {
    until mkdir "$steps/lock" 2>/dev/null; do sleep 0.1; done
    "$@"
    rmdir "$steps/lock"
}

# take FOLDER LANE: moves the first steps of a queue to a lane's file; nothing is moved when none are left.
take() {
    for steps_file in "$steps/$1"/*; do
        [ -f "$steps_file" ] && mv "$steps_file" "$steps/lane$2"
        return
    done
}

# excerpt FILE: the first lines that name what went wrong, and the last ones of all. Logs may be cut to few lines: this must be short.
excerpt() {
    grep -nE 'FAILED|^error|panicked|\*\*failed|\*\*\*|[^0] failures?|[Tt]imed out|timed_out' "$1" | cut -c -160 | head -n 8
    tail -n 5 "$1" | cut -c -160
}

tell() {
    cat "$steps/said$1"
    echo "$2"
    echo "$2" >>"$steps/summary"
    [ -n "$3" ] || return 0
    printf ' %s,' "$3" >>"$steps/failed"
    { printf '\n== the end of: %s\n' "$3" && excerpt "$steps/said$1"; } >>"$steps/ends"
}

# spent FILE: the seconds that the processor has worked for a lane so far. `times` tells of the shell that it runs in, so its
# output goes to a file: its second line is user and system time of what the lane has run.
spent() {
    awk 'NR == 2 { gsub("[ms]", " "); print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5) }' "$1"
}

# run_step LANE NAME COMMAND: the command's output, and a line for the summary.
run_step() {
    begin=$(date +%s)
    times >"$steps/times$1"
    worked=$(spent "$steps/times$1")
    printf '\n== %s\n' "$2" >"$steps/said$1"
    # shellcheck disable=SC2086
    if $3 >>"$steps/said$1" 2>&1 </dev/null; then
        verdict=passed wrong=''
    else
        verdict=FAILED wrong=$2
    fi
    times >"$steps/times$1"
    worked=$(($(spent "$steps/times$1") - worked))
    locked tell "$1" "$(printf '  %-44s %s %5ds %5ds of CPU' "$2" "$verdict" $(($(date +%s) - begin)) "$worked")" "$wrong"
}

# lane NUMBER QUEUE…: runs what the queues have, one after another.
lane() {
    lane=$1
    shift
    for from in "$@"; do
        while locked take "$from" "$lane" && [ -f "$steps/lane$lane" ]; do
            while IFS='	' read -r name command; do
                run_step "$lane" "$name" "$command"
            done <"$steps/lane$lane"
            rm "$steps/lane$lane"
        done
    done
}

# table SECONDS: the time of each step, and of all.
table() {
    cat "$steps/summary"
    awk -v clock="$1" '{ sub(" of CPU$", ""); sub("s$", ""); cpu += $NF }
        END { printf "  %-44s        %5ds %5ds of CPU\n", "all together", clock, cpu }' "$steps/summary"
}

# machine: what the times are of.
machine() {
    printf '%s: %s cores, %s; %s steps at a time\n' "$(date +%F)" "$(nproc)" \
        "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" "${LANES:-2}"
}

run_steps() {
    began=$(date +%s)
    : >"$steps/summary"
    lane 1 first shared &
    for other in $(seq 2 "${LANES:-2}"); do
        lane "$other" shared &
    done
    wait
    echo
    table $(($(date +%s) - began)) | tee "$steps/table"
    # A lane that was killed leaves steps of which nobody can say that they failed.
    ended=$(wc -l <"$steps/summary")
    if [ "$ended" -ne "$count" ]; then
        printf 'failed: only %d of %d steps ended\n' "$ended" "$count"
        return 1
    fi
    if [ -f "$steps/failed" ]; then
        cat "$steps/ends"
        printf 'failed:%s\n' "$(sed 's/,$//' "$steps/failed")"
        return 1
    fi
    [ -z "${TIMES:-}" ] || { machine && cat "$steps/table"; } >"$TIMES"
    echo 'all passed'
}
