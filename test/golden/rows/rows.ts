/** All rows of the table. */
import { breakpointRows } from './breakpoints.ts';
import { editingRows } from './editing.ts';
import type { Row } from './row.ts';
import { steppingRows } from './stepping.ts';

export const rows: readonly Row[] = [...steppingRows, ...breakpointRows, ...editingRows];
