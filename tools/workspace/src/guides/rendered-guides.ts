import { paymentStandards } from '@xs2a/domain/payment/standards/standards';
import { guideSources } from './guide-sources.js';
import { type RenderedGuide, renderGuide } from './render-guide.js';

/** Returns the guides for banks of each standard. */
export const renderedGuides = (): Readonly<Record<string, readonly RenderedGuide[]>> =>
  Object.fromEntries(
    Object.entries(paymentStandards).map(([name, standard]) => [
      name,
      guideSources.map((source) => renderGuide(source, standard)),
    ]),
  );
