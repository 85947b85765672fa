// The components of a software bill of materials in the form of CycloneDX 1.5.

/** CycloneDX has a place for an SPDX identifier and another for an expression of several. */
const licenses = (license) =>
  license === undefined
    ? {}
    : { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] };

/** A component for each package, each version once, in the order of their names. */
export const componentsOf = (packages) => {
  const byReference = new Map(
    packages.map(({ name, version, license }) => {
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
      return [purl, { type: 'library', 'bom-ref': purl, name, version, purl, ...licenses(license) }];
    }),
  );
  return [...byReference.values()].sort((one, other) => one.purl.localeCompare(other.purl, 'en'));
};
