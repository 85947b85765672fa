import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { manifestsIn, readText } from './read-manifests.js';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}
interface Component {
  readonly patches: readonly { readonly target: { readonly name: string }; readonly patch: string }[];
}

const [change] = (parse(readText('components/sandbox-volumes/kustomization.yaml')) as Component).patches;
if (change === undefined) throw new Error('the component sandbox-volumes has no patch');
const operations = parse(change.patch) as readonly Operation[];
const servers = manifestsIn('overlays/sandbox').filter(({ kind }) => kind === 'StatefulSet');

describe('the component sandbox-volumes', () => {
  it('covers every server of the sandbox', () => {
    expect(change.target.name.split('|').toSorted()).toEqual(
      servers.map(({ metadata }) => metadata.name).toSorted(),
    );
  });

  it.each(servers.map((server) => [server.metadata.name, server] as const))(
    'replaces only the data folder of %s',
    (_name, { spec }) => {
      const removed = operations.filter(({ op }) => op === 'remove').map(({ path }) => path);
      expect(removed).toEqual(['/spec/template/spec/volumes/0']);
      expect(spec.template.spec.volumes[0]).toEqual({ name: 'data', emptyDir: {} });
    },
  );

  it('creates a volume of the same name', () => {
    const added = operations.find(({ path }) => path === '/spec/volumeClaimTemplates');
    expect(added?.value).toMatchObject([{ metadata: { name: 'data' } }]);
  });
});
