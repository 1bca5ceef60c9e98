/** Built-in tools that change a file by what their arguments say: what they will do can be shown before. */
export const changingTools: ReadonlySet<string> = new Set(['edit_file', 'create_file']);
