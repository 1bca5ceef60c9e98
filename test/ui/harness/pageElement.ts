/**
 * What functions that run in the page use of an element. Spelled out because the DOM's own types are global:
 * to have them here would give them to src as well, which must not use them.
 */
export interface PageElement {
  readonly id: string;
  readonly className: string;
  readonly textContent: string | null;
  readonly checked?: boolean;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}
