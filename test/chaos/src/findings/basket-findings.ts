import { parseJson } from '@xs2a/tpp-client/http';
import type { BasketRecord, ClientLog } from '../load/client-log.js';
import { isUnknown, toPath } from '../load/steady-tpp.js';
import type { ChaosWorld } from '../world.js';

type Known = Pick<ChaosWorld, 'tpp' | 'schemas' | 'log'>;

/**
 * Returns one sentence for each contradiction between the service's data and the responses that clients received
 * about their baskets (invariant 3).
 */
export const basketFindings = async (
  world: Known,
  backwardSteps: (log: ClientLog, name: string, seen: BasketRecord['seen']) => string[],
): Promise<string[]> => {
  const { tpp, log } = world;
  const found = await unknownBaskets(world);
  for (const basket of log.baskets) {
    const { basketId, signed, cancelled } = basket;
    const answer = await tpp.insist('GET', toPath(basket));
    if (isUnknown(answer.status) && !log.mustBeKnown(basket)) continue;
    if (answer.status !== 200) {
      found.push(`basket ${basketId} is lost: ${answer.status}`);
      continue;
    }
    const { transactionStatus: status, ...body } = parseJson<{
      transactionStatus: string;
      payments?: readonly unknown[];
      consents?: readonly unknown[];
    }>(answer);
    basket.seen.push({ status, asked: answer.asked });
    found.push(...backwardSteps(log, `basket ${basketId}`, basket.seen));
    if (log.isCertain(cancelled) && status !== 'CANC')
      found.push(`basket ${basketId} was cancelled but is ${status}`);
    if (log.isCertain(signed) && status !== 'ACSC')
      found.push(`basket ${basketId} was signed but is ${status}`);
    if (signed === undefined && ['ACTC', 'ACSC'].includes(status))
      found.push(`basket ${basketId} was not signed but is ${status}`);
    const [payments, consents] = [body.payments ?? [], body.consents ?? []];
    if (payments.length !== basket.payments.length || consents.length !== basket.consents.length)
      found.push(`basket ${basketId} is another one`);
  }
  return found;
};

/** Returns baskets that no client created. */
const unknownBaskets = async ({ schemas, log, tpp }: Known): Promise<string[]> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ stream_id: string; payment_ids: readonly string[] }>(
      `SELECT stream_id, payment_ids FROM basket_view WHERE tpp_id = $1 AND stage NOT IN ('opening', 'abandoned')`,
      [tpp.tpp.credentials.clientId],
    );
  const known = new Set(log.baskets.map(({ basketId }) => basketId));
  return rows
    .filter(({ stream_id }) => !known.has(stream_id))
    .map(({ stream_id, payment_ids: ids }) => {
      const refusals = log.refusedBaskets.filter((refusal) => ids.some((id) => refusal.includes(id)));
      return [`basket ${stream_id} was created twice: no client knows it`, ...refusals].join('; refused ');
    });
};
