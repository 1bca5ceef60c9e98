/** A codicon. Decorative: what it means is said in words beside it, or by `label`. */
export function Icon({ name, label }: { readonly name: string; readonly label?: string }) {
  const classes = `codicon codicon-${name}`;
  return label === undefined ? (
    <span class={classes} aria-hidden="true" />
  ) : (
    <span class={classes} role="img" aria-label={label} title={label} />
  );
}
