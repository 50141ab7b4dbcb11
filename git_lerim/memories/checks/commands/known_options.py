"""Tables of the options of known tools: what they load, write, weaken or fetch."""

import re

_words = re.compile(r"\S+").findall


def _by_program(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {
        program: frozenset(_words(options))
        for programs, options in table.items()
        for program in _words(programs)
    }


# Options whose value names a file, a folder or a program that the tool loads or runs.
STEERS = _by_program(
    {
        "pytest": "-p -o -c --override-ini --rootdir --config-file --pastebin",
        "tox nox": "-x --override -c --conf --workdir -f --noxfile",
        "mypy": "--install-types --config-file --python-executable --custom-typeshed-dir",
        "ruff black isort flake8 pylint": "--config --load-plugins --init-hook --rcfile",
        "eslint prettier jest vitest": (
            "-c --config --rulesdir --plugin --parser --preset --transform --globalSetup"
            " --setupFiles --testRunner --environment --resolve-plugins-relative-to"
        ),
        "tsc": "-p --project --plugin",
        "rspec rubocop rake": "-r -I -f --rakefile -e --execute",
        "phpunit": "-c -d --configuration --bootstrap --extension",
        "gcc clang rustc": "-wrapper -fplugin -B -specs -C",
        "cmake meson ninja": "-P -E -S -I --script -f",
        "ctest": "-D -M -T -S -SP --script --dashboard --test-model --test-action --submit-index",
        "gradle": "-P -I -S -b --build-file -p -c --settings-file",
        "mvn": "-f --file -s --settings -gs --global-settings -t --toolchains",
        "cargo": "--config",
        "go": "-modfile -overlay",
        "bazel": "--bazelrc --run_under --override_repository --override_module",
        "dotnet": "-s --source --configfile",
        "docker podman nerdctl": "--file -o",
        "pip pip3": "-r --requirement -c --constraint -e --editable -f --find-links --index",
        "uv poetry pdm": "--index --default-index -f --find-links --source",
        "pre-commit": "-c --config",
        "golangci-lint mkdocs sphinx-build": "-c --config -f --config-file",
        "find": "-exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls",
        "rg sort": "--pre --pre-glob --compress-program",
    }
)
# the same for all programs
STEERS_ANY = frozenset(
    _words(
        "--prefix --cwd --directory --working-dir --working-directory --project-dir --root"
        " --rootDir --manifest-path --gemfile --script-shell --node-options --userconfig"
        " --globalconfig --preload --require --import --init-script --package-path"
    )
)

# Options whose value names an output or says which parts are wanted, so that it may have a slash.
NAMES = _by_program(
    {
        "pytest": "-k -m -n",
        "go": "-o -run -bench -fuzz -skip -coverprofile -cpuprofile -memprofile",
        "gcc clang rustc eslint": "-o",
        "javac coverage": "-d",
        "docker podman nerdctl": "-t",
        "cmake": "-B --build",
        "ctest": "--test-dir",
        "ninja meson": "-C",
        "jest vitest": "-t",
        "pnpm": "-F",
    }
)
NAMES_ANY = frozenset(
    _words(
        "--tag --out --outDir --outdir --out-dir --outfile --outFile --out-file --output-dir"
        " --output-path --output-file --outputFile --output --target-dir --junitxml --junit-xml"
        " --cov-report --html --xml --basetemp --coverage-directory --coverageDirectory"
        " --cache-dir --cache-location --cacheDirectory --log-file --declarationDir"
        " --testNamePattern --test-name-pattern --grep --filter --scope --since --changedSince"
        " --from-ref --to-ref --platform --build-arg --label --name"
    )
)

# Options that come before the script that an interpreter runs. All others may load or run code.
FLAGS = {
    program: re.compile(flags)
    for programs, flags in {
        "bash sh zsh": r"-[euvx]+",
        "python python3": r"-[uBOsqvbIE]+",
        "node": (
            r"--(?:test|watch|check|enable-source-maps|no-warnings|trace-\w+|expose-gc|"
            r"experimental-(?:strip-types|vm-modules|test-coverage))"
        ),
        "ruby perl php": "-[wWlv]+",
        "java": "-ea|-jar",
        "coverage": r"-[apL]|--(?:append|branch|parallel-mode)|--(?:source|include|omit)=\S+",
    }.items()
    for program in _words(programs)
}
RUNNER_FLAG = re.compile(
    r"-[knqswB]+|-k?j\d*|--(?:silent|quiet|jobs|keep-going|always-make|dry-run|just-print|"
    r"no-print-directory|version|help|verbose|list|summary|trace|question)"
)

# Each of these, also shortened, reaches outside, runs something, or weakens a check.
UNSAFE = frozenset(
    _words(
        "-c -x -C -exec -toolexec -vettool --exec --ext-diff --textconv --output --upload-pack"
        " --no-verify --no-gpg-sign -g --global --registry -i --index-url --extra-index-url"
        " --work-tree --git-dir --exec-path --config-env --open-files-in-pager --template"
        " --trusted-host --allow-insecure-host --proxy --strict-ssl --no-strict-ssl"
    )
)
UNSAFE_ANY = frozenset(
    _words(
        "--push --no-verify --no-eslintrc --no-config-lookup --exit-zero --ignore-errors"
        " --passWithNoTests -DskipTests -Dmaven.test.skip=true"
    )
)
NOT_SHORTENED = frozenset(
    ("--text", "--config", "--extra", "--index")
)  # options in their own right
SHORTEST = 4  # characters of a shortened option: with fewer, it means several
# By git's subcommand, short options among others: `-n` of commit skips the hooks, `-x` of rebase
# and `-O` of grep run a program, and `-f` of add takes in what is ignored.
UNSAFE_GIT = {
    "commit": re.compile("-[apsvqeioz]*n"),
    "rebase": re.compile("-[a-zA-Z]*x"),
    "grep": re.compile(r"-\w*O"),
    "add": re.compile("-[a-zA-Z]*f|--f"),
}

# How a script runs programs: in sed by the command or flag `e`, in awk by `system` or `getline`;
# and how both load a script.
RUNS_CODE = re.compile(
    r"(?:^|[\s'\"/;\d$}])e(?:[\s'\"]|$)|\bsystem\b|\bgetline\b|"
    r"(?:^|\s)(?:-[a-zA-Z]*f|--(?:f|exec|inc|load))"
)

PLAIN_OPTIONS = frozenset(
    _words(
        "-q -s --quiet --frozen --locked --no-sync --dev --all-extras --all-groups --no-install"
        " --silent --"
    )
)
