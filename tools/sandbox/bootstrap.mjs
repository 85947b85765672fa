// Runs `npm start` and each tool below that has an `npm run` command: installs what is missing, builds what
// has changed, and starts the built tool under Node 24. Plain JavaScript without dependencies, because it
// runs on the machine's own version of Node.js (20 or newer).
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt, markBuilt } from '../workspace/built.mjs';
import { prepare } from '../workspace/prepare.mjs';
import { answerHelp } from '../workspace/usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = {
  start: 'tools/sandbox/dist/main.js',
  demo: 'tools/sandbox/dist/demo/main.js',
  bench: 'test/bench/dist/main.js',
  chaos: 'test/chaos/dist/main.js',
  'two-releases': 'test/e2e/dist/releases/two-releases-main.js',
  'nats-url': 'tools/sandbox/dist/nats-url.js',
  xs2a: 'tools/sandbox/dist/xs2a.js',
};
const [first = 'start', ...others] = process.argv.slice(2);
const [tool, args] = first in tools ? [first, others] : ['start', process.argv.slice(2)];
answerHelp(tool, args);
const quiet = tool === 'nats-url';
// Only the tool itself writes to stdout, because another program may read it.
const say = (line) => quiet || (tool === 'xs2a' ? console.error : console.log)(`… ${line}`);

const build = (node) => {
  if (isBuilt()) return;
  say('building');
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const { status, stdout, stderr } = spawnSync(
    node,
    [nx, 'run-many', '-t', 'build', '--outputStyle=static'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        NX_DAEMON: 'false',
        NX_TUI: 'false',
      },
    },
  );
  if (status !== 0) {
    console.error(`${stdout}\n${stderr}`.trim().slice(-4000));
    console.error('The project could not be built. Run: npm run build');
    process.exit(1);
  }
  markBuilt();
};

/** Runs the tool as a child process: forwards signals to it, and exits when it exits. */
const handOver = (node, script) => {
  // Without this limit of V8's young generation, the process keeps 15 MB of garbage that its start left (docs/adr/0022).
  const options = tool === 'start' ? ['--max-semi-space-size=4'] : [];
  const child = spawn(node, [...options, join(root, script), ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      XS2A_LAUNCHER: String(process.pid),
      NODE_COMPILE_CACHE: join(root, '.xs2a/compile-cache'),
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
  // npm does not forward every signal, so this process also exits when npm has exited.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref();
};

const wantsPrometheus = tool === 'start' && args.includes('--observability');
const node = prepare({ programs: ['nats-server', ...(wantsPrometheus ? ['prometheus'] : [])], say });
build(node);
handOver(node, tools[tool]);
