import { AsnArray, AsnConvert, AsnProp, AsnPropTypes, AsnType, AsnTypeTypes } from '@peculiar/asn1-schema';
import { type PspRole, pspRoleNames, pspRoles } from './psp-roles.js';

/** The OID of the qcStatements extension (RFC 3739, 3.2.6). */
export const qcStatementsExtension = '1.3.6.1.5.5.7.1.3';
/** The OID of the statement that the certificate is qualified (ETSI EN 319 412-5, 4.2.1). */
export const qcCompliance = '0.4.0.1862.1.1';
/** The OID of the statement of the certificate's purpose (ETSI EN 319 412-5, 4.2.3). */
export const qcType = '0.4.0.1862.1.6';
export const qcTypes = {
  eSign: '0.4.0.1862.1.6.1',
  eSeal: '0.4.0.1862.1.6.2',
  web: '0.4.0.1862.1.6.3',
} as const;
/** The OID of the statement of a payment service provider's roles and competent authority (ETSI TS 119 495, 5.1). */
export const psd2Statement = '0.4.0.19495.2';

@AsnType({ type: AsnTypeTypes.Sequence })
export class QcStatement {
  @AsnProp({ type: AsnPropTypes.ObjectIdentifier })
  id = '';

  @AsnProp({ type: AsnPropTypes.Any, optional: true })
  info?: ArrayBuffer;
}

@AsnType({ type: AsnTypeTypes.Sequence, itemType: QcStatement })
export class QcStatements extends AsnArray<QcStatement> {}

@AsnType({ type: AsnTypeTypes.Sequence, itemType: AsnPropTypes.ObjectIdentifier })
export class QcTypeList extends AsnArray<string> {}

@AsnType({ type: AsnTypeTypes.Sequence })
export class RoleOfPsp {
  @AsnProp({ type: AsnPropTypes.ObjectIdentifier })
  id = '';

  @AsnProp({ type: AsnPropTypes.Utf8String })
  name = '';
}

@AsnType({ type: AsnTypeTypes.Sequence })
export class Psd2Statement {
  @AsnProp({ type: RoleOfPsp, repeated: 'sequence' })
  roles: RoleOfPsp[] = [];

  @AsnProp({ type: AsnPropTypes.Utf8String })
  authorityName = '';

  @AsnProp({ type: AsnPropTypes.Utf8String })
  authorityId = '';
}

interface Psd2Facts {
  readonly roles: readonly PspRole[];
  readonly authority: { readonly name: string; readonly id: string };
}

/** The content of a certificate's qcStatements; parts that are missing or unreadable are omitted. */
export interface QcFacts {
  /** True if the certificate contains the QcCompliance statement. */
  readonly isQualified: boolean;
  /** The object identifiers of its types, see {@link qcTypes}. */
  readonly types: readonly string[];
  readonly psd2?: Psd2Facts;
  readonly hasPsd2Statement: boolean;
}

const tryRead = <Facts>(read: () => Facts): Facts | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Parses the value of the extension. Returns undefined if it is not valid. */
export const readQcStatements = (value: ArrayBuffer): QcFacts | undefined => {
  const statements = tryRead(() => AsnConvert.parse(value, QcStatements));
  if (statements === undefined) return undefined;
  const findInfo = (id: string): readonly (ArrayBuffer | undefined)[] =>
    statements.filter((one) => one.id === id).map(({ info }) => info);
  const [typeInfo, ...moreTypes] = findInfo(qcType);
  const [psd2Info, ...morePsd2] = findInfo(psd2Statement);
  // Duplicate statements would be ambiguous.
  const isClear = moreTypes.length === 0 && morePsd2.length === 0;
  return {
    isQualified: findInfo(qcCompliance).length > 0,
    types: (typeInfo && isClear && tryRead(() => [...AsnConvert.parse(typeInfo, QcTypeList)])) || [],
    hasPsd2Statement: findInfo(psd2Statement).length > 0,
    psd2:
      psd2Info && isClear
        ? tryRead(() => parsePsd2Facts(AsnConvert.parse(psd2Info, Psd2Statement)))
        : undefined,
  };
};

/** Parses the PSD2 statement. Each role has an identifier and a name, which must match. */
const parsePsd2Facts = ({ roles, authorityName, authorityId }: Psd2Statement): Psd2Facts | undefined => {
  const named = roles.map(({ id, name }) =>
    pspRoleNames.find((role) => role === name && pspRoles[role] === id),
  );
  const known = named.filter((role) => role !== undefined);
  if (known.length === 0 || known.length !== roles.length || authorityName === '' || authorityId === '')
    return undefined;
  return { roles: [...new Set(known)], authority: { name: authorityName, id: authorityId } };
};
