/** Names that some file system takes for a device, with or without an ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** Beyond what a folder of any platform can hold together with its path. */
const longest = 120;

/** Whether a file of this name can be written on every platform and is what it looks like: no path, no trick. */
export const isPortableName = (name: string): boolean =>
  name.length <= longest &&
  !/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff<>:"/\\|?*]/.test(name) &&
  !/^[.\s]|[.\s]$/.test(name) &&
  name !== '' &&
  !devices.test(name);
