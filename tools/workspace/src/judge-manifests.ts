// node tools/workspace/dist/judge-manifests.js FILE…: validates files of Kubernetes objects (output of `kubectl kustomize`) against the
// schemas of each version of Kubernetes and of the custom resources. Prints the problems and exits with 1 if there are any.
import { readFileSync } from 'node:fs';
import { ManifestJudge } from './manifests/judge.js';

const judge = new ManifestJudge();
for (const file of process.argv.slice(2)) {
  const problems = await judge.listProblemsOf(readFileSync(file, 'utf8'));
  for (const problem of problems) console.error(`${file}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
