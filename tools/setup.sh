#!/bin/sh
# Makes .venv and installs the pinned packages into it, and does nothing where that is done already.
#
#     tools/setup.sh run     what the program needs
#     tools/setup.sh test    that, and what the checks and tests need
#
# Plain shell, because it has to say what to do on a machine without a usable Python.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }

kind="${1:-}"
files_for() {
    case "$1" in
        run) say requirements.txt ;;
        test) say requirements.txt tests/requirements.txt ;;
        *) fail "Usage: tools/setup.sh run|test" ;;
    esac
}
files="$(files_for "$kind")"

# What .venv was made from. Written when all is installed and removed before anything is changed, so
# that an interrupted set-up is never taken for a finished one.
stamp=.venv/installed
contents_for() {
    say "python $installed"
    cat $(files_for "$1")
}

version_of() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

can_make_venv() {
    # Debian ships venv without ensurepip, which it cannot do without.
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

# Sets $python. A name on PATH may be a pyenv shim for a version that is not chosen here, so each
# candidate is run, not just looked for.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11 python
    fi
    too_old="" without_venv=""
    for candidate in "$@"; do
        version="$(version_of "$candidate")" || continue
        if ! is_new_enough "$candidate"; then
            too_old="${too_old:-$candidate here is $version}"
        elif ! can_make_venv "$candidate"; then
            without_venv="${without_venv:-$version}"
        else
            python="$candidate"
            return
        fi
    done
    if [ -n "$without_venv" ]; then
        fail "Python $without_venv has no venv module here: install it (on Debian or Ubuntu: apt install python$without_venv-venv) and run make again."
    fi
    fail "Raise the Sum needs Python 3.11 or newer, and ${too_old:-none was found}: install one, or name one with PYTHON=/path/to/python3, and run make again."
}

installed="$(version_of .venv/bin/python)" || installed=none
made_from="$(cat "$stamp" 2>/dev/null)" || made_from=""
if [ "$made_from" = "$(contents_for "$kind")" ] || [ "$made_from" = "$(contents_for test)" ]; then
    exit 0
fi

case "$made_from" in
"python $installed"*) ;; # only the packages change
*)
    find_python
    installed="$(version_of "$python")"
    say "Making .venv with Python $installed."
    rm -rf .venv
    "$python" -m venv .venv || fail "Could not make .venv: see above for why, then run make again."
    ;;
esac

say "Installing the packages listed in $(say $files | sed 's/ / and /'), which takes a minute. They are installed again only when that changes."
rm -f "$stamp"
set --
for file in $files; do
    set -- "$@" --requirement "$file"
done
.venv/bin/python -m pip install --quiet --quiet --no-input --disable-pip-version-check "$@" \
    || fail "pip could not install the packages: see above for why, then run make again."
contents_for "$kind" >"$stamp"
