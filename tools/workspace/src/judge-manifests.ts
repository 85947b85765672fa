// node tools/workspace/dist/judge-manifests.js FILE…: validates files of Kubernetes objects (output of
// `kubectl kustomize`) against the schemas of each Kubernetes version and of the custom resources. If there
// are problems, prints them and exits with 1.
import { readFileSync } from 'node:fs';
import { ManifestJudge } from './manifests/judge.js';

const judge = new ManifestJudge();
for (const file of process.argv.slice(2)) {
  const problems = await judge.listProblemsOf(readFileSync(file, 'utf8'));
  for (const problem of problems) console.error(`${file}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
