// Generates the components of a software bill of materials in CycloneDX 1.5 format.
import type { Package } from './packages.js';

/** CycloneDX has one field for an SPDX identifier and another for an SPDX expression. */
const licenses = (license: string | undefined): object =>
  license === undefined
    ? {}
    : { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] };

/** Returns one component per package and version, sorted by name. */
export const componentsOf = (packages: readonly Package[]): readonly object[] => {
  const byReference = new Map(
    packages.map(({ name, version, license }) => {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return [purl, { type: 'library', 'bom-ref': purl, name, version, purl, ...licenses(license) }];
    }),
  );
  return [...byReference.values()].sort((one, other) => one.purl.localeCompare(other.purl, 'en'));
};
