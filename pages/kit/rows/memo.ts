import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

/** A component that renders again only when one of its properties is another one. */
export function memo<Props extends object>(
  View: FunctionComponent<Props>,
): new (props: Props) => Component<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = Object.entries(this.props);
      return (
        before.length !== Object.keys(next).length ||
        before.some(([name, value]) => !Object.is(value, Reflect.get(next, name)))
      );
    }

    override render(): ComponentChild {
      return h(View, this.props);
    }
  };
}
