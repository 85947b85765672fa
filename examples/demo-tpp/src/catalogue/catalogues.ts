import { bg } from './bg.js';
import type { Catalogue, Language } from './catalogue.js';
import { en } from './en.js';

export const catalogues: Readonly<Record<Language, Catalogue>> = { bg, en };
