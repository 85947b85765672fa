// The `--help` text of each npm command. Plain JavaScript without dependencies, because it must work before
// anything is installed or built. It does not include `npm run xs2a -- --help`, because the operator command
// describes itself.
const usages = {
  start: `npm start [-- options]
Starts the sandbox bank with everything it needs, and prints the addresses. Ctrl-C stops it.
  --reset               delete all data and start over
  --port N              the public port (default 8080)
  --profile NAME        the bank's rules: sandbox (default), production (thirteen currencies, fees, exchange rates, cut-off,
                        banking days), or the same two for a bank in euro: bg-euro, bg-euro-production. Data in leva and in
                        euro are never mixed: add --reset, or name another folder (docs/how-to/run-the-euro-profile.md)
  --auth-profile NAME   oauth2 (default) or fapi2: the FAPI 2.0 Security Profile, without the demo TPP
  --no-demo-tpp         without the demo TPP, a third party that uses this bank
  --demo-port N         the demo TPP's port (default 8090; any free port if the public port is not 8080)
  --core-bank URL       a bank's own core instead of the sandbox's: nats://user:password@host:port of the NATS server
                        where it answers (docs/how-to/connect-your-core-bank.md)
  --inspect SERVICE     makes that service listen for a debugger at 127.0.0.1:9229 (CONTRIBUTING.md)
  --observability       also starts Prometheus, with the metrics of all services and the alerts of k8s/components/monitoring
  --help                this text
Data and logs are kept in .xs2a/sandbox; the environment variable XS2A_DATA_DIR names another folder, for this
command, npm run demo and npm run xs2a alike.`,

  demo: `npm run demo [-- options]
Plays a TPP against the running sandbox, or one of its own: token, payment, signature, settlement, consent, accounts,
funds confirmation, events. Exit code 0 when every answer is as the contract says.
  --base-url URL        plays against a deployed bank, using only its public interface
  --profile NAME        the rules of the deployed bank, or of the one that it starts, such as bg-euro (default: sandbox)
  --customer FILE       a customer of the bank's own core: JSON with psuId, password and iban
  --cert FILE --key FILE   the TPP's certificate and key, for mutual TLS (with an https --base-url)
  --ca FILE             the authorities that signed the bank's certificate
  --help                this text`,

  test: `npm test [-- STAGE…]
Runs format, lint, types, build, unit, int and e2e, or the stages named, and ends with "N passed, N failed".
  format, lint, types   without a build
  build                 all projects; what did not change comes from a cache
  unit                  .spec.ts: pure and fast
  int                   .int.spec.ts: with PostgreSQL and NATS
  e2e                   .e2e.spec.ts: through the public address; needs a build
  long                  the operator command, the console, walks through all pages, and a fault run, which take about half an
                        hour; not part of a run without stages: npm test -- build long
  e2e-euro              most of e2e at a bank in euro (tools/workspace/euro-specs.mjs); likewise
  nightly               what takes longer still, such as a cluster that loses nodes; likewise
  --help                this text
A spec file that fails is run once more, on its own. Pictures of the pages: SCREENS=1 npm test -- e2e. One file: npm run spec.`,

  spec: `npm run spec -- FILE.spec.ts… [options]
Runs spec files, each with the servers that its kind needs; .e2e.spec.ts needs a build (npm run build).
  --inspect             waits for a debugger at 127.0.0.1:9229 first
  --help                this text
Other options go to jest, such as -t 'part of a title'.`,

  bench: `npm run bench [-- options]
Measures the service in turns with two hops that do nothing, and prints a table (docs/benchmarks.md).
  --sandbox             one PostgreSQL, one nats-server, no TLS (default; about 25 minutes)
  --production          mutual TLS, DPoP, three nats-servers, a synchronous standby, the bank over NATS (about 15 minutes);
                        with --sandbox, one table of both
  --row NAME            only this row; may be repeated
  --seconds N           the time for which a row is measured (default 10)
  --warm-up N           seconds before it (default 20)
  --events N, --payments N, --requests N   sizes used by some rows
  --keep FOLDER         the row history keeps its loaded data there, and reuses it if it already exists
  --only-load           with --keep: loads, and measures nothing
  --cpu-profile FOLDER  every service leaves a CPU profile there
  --json                the results as JSON
  --help                this text`,

  chaos: `npm run chaos [-- options]
Starts a sandbox of its own with two processes of each service, lets clients pay and read while processes are killed,
frozen, doubled and robbed of their files, hosts vanish, and PostgreSQL is replaced by its standby or by an older copy; then
checks that nothing was lost, nothing happened twice and no payment was wrongly refused. Exit code 0 when every invariant
holds and no answer took longer than allowed.
  --seed N              the same seed gives the same faults in the same order (default: taken from the clock)
  --seconds N           how long (default 60)
  --profile NAME        the bank's rules: sandbox (default) or bg-euro, where clients also pay at once, payees are verified
                        first, and the bank is silent now and then
  --cluster             three NATS servers instead of one, and faults of single nodes
  --clients N           this many clients pay at once
  --stream-mb N         event streams keep this many megabytes and discard the rest
  --two-releases        now and then the second processes are started from a build of the next release, made of these sources
  --keep FOLDER         data and logs stay there
  --append-to FILE      adds a line with the counts to a file
  --sum FILE            adds up the lines of such a file, and runs nothing
  --json                the report as JSON
  --help                this text`,

  'two-releases': `npm run two-releases [-- options]
Upgrades a sandbox of its own under load from this release to the next one, which has one more migration and reads one more
event version; rolls it back with the newer tables, upgrades it again, and on to the release that writes that version. The
next releases are built from this checkout's sources. Exit code 0 when no request failed.
  --seconds N           how long each step lasts (default 10)
  --keep FOLDER         data and logs stay there
  --help                this text`,

  containers: `npm run containers [-- options]
Builds the images, starts Compose with each of its profiles, plays the demo through mutual TLS, applies a second release under
requests, runs doctor, and removes all of it (docs/how-to/deploy.md). Needs root, Debian, and no other Docker engine: it
starts its own.
  --keep FOLDER         the engine's data stays there, and with it the base images and layers for the next run
  --no-build            uses the images of the run before (with --keep)
  --help                this text`,
};

/** Prints the usage of a command and exits if the arguments include `--help`. */
export const answerHelp = (command, args) => {
  if (!args.includes('--help') || !(command in usages)) return;
  console.log(usages[command]);
  process.exit(0);
};
