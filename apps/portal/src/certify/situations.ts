import { consentGroup, pushGroup } from './access-situations.js';
import { paymentGroup } from './payment-situations.js';
import { sendingGroup, tokenGroup } from './sending-situations.js';
import type { Group } from './situation.js';

/** The forty situations that applications are compared with. */
export const groups: readonly Group[] = [sendingGroup, tokenGroup, paymentGroup, consentGroup, pushGroup];
