const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}\u2800]/u;

/** True if the name has at least one visible character. */
export const isVisible = (name: string): boolean => visible.test(name);

/** Message for a name that is refused. */
export const invisibleName = 'A name needs a letter or another sign that can be seen';
