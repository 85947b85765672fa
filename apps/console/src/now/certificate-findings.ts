import { endOf, type TppCertificate } from '../tpps/tpp-certificates.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { tppPath } from '../tpps/tpps-page.js';
import { momentIn } from '../pages/times.js';
import type { Finding } from './finding.js';
import { certificateAttentionMs, certificateProblemMs } from './thresholds.js';

/** TPPs whose certificates end soon, or have ended. */
export const findCertificates = (
  certificates: readonly TppCertificate[],
  nameOf: NameOf,
): readonly Finding[] =>
  certificates
    .filter(({ leftMs }) => leftMs < certificateAttentionMs)
    .map((certificate) => ({
      level: certificate.leftMs < certificateProblemMs ? 'problem' : 'attention',
      sentence: `The certificate of ${nameOf(certificate.tppId)} ${endOf(certificate)}: its calls are refused${certificate.leftMs < 0 ? '' : ' from then on'}`,
      details: [`last presented ${momentIn(certificate.seenAt)}`],
      place: '/tpps',
      evidence: { to: tppPath(certificate.tppId), text: 'Show the TPP' },
      runbook: 'certificate-ends',
    }));
