import { Component, type ComponentChild, type FunctionComponent } from 'preact';

/** A component that renders again only when one of its properties is another value. Contexts that it reads still count. */
export function memo<Props extends object>(
  render: (props: Props) => ComponentChild,
): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before: Readonly<Record<string, unknown>> = { ...this.props };
      return Object.entries(next).some(([name, value]) => before[name] !== value);
    }
    override render(): ComponentChild {
      return render(this.props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
