/** A script of its own: the comparison of two texts of a message, for pages that meet an edited one. */
import { messageDiff } from '../src/core/messageDiff.ts';

globalThis.loopscopeDiff = messageDiff;
