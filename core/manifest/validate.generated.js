// Made by `npm run generate` from core/manifest/fields.ts. Do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// node_modules/ajv-formats/dist/formats.js
var require_formats = __commonJS({
  "node_modules/ajv-formats/dist/formats.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.formatNames = exports.fastFormats = exports.fullFormats = void 0;
    function fmtDef(validate, compare) {
      return { validate, compare };
    }
    exports.fullFormats = {
      // date: http://tools.ietf.org/html/rfc3339#section-5.6
      date: fmtDef(date, compareDate),
      // date-time: http://tools.ietf.org/html/rfc3339#section-5.6
      time: fmtDef(getTime(true), compareTime),
      "date-time": fmtDef(getDateTime(true), compareDateTime),
      "iso-time": fmtDef(getTime(), compareIsoTime),
      "iso-date-time": fmtDef(getDateTime(), compareIsoDateTime),
      // duration: https://tools.ietf.org/html/rfc3339#appendix-A
      duration: /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/,
      uri,
      "uri-reference": /^(?:[a-z][a-z0-9+\-.]*:)?(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'"()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'"()*+,;=:@]|%[0-9a-f]{2})*)*)?(?:\?(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'"()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i,
      // uri-template: https://tools.ietf.org/html/rfc6570
      "uri-template": /^(?:(?:[^\x00-\x20"'<>%\\^`{|}]|%[0-9a-f]{2})|\{[+#./;?&=,!@|]?(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?(?:,(?:[a-z0-9_]|%[0-9a-f]{2})+(?::[1-9][0-9]{0,3}|\*)?)*\})*$/i,
      // For the source: https://gist.github.com/dperini/729294
      // For test cases: https://mathiasbynens.be/demo/url-regex
      url: /^(?:https?|ftp):\/\/(?:\S+(?::\S*)?@)?(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)(?:\.(?:[a-z0-9\u{00a1}-\u{ffff}]+-)*[a-z0-9\u{00a1}-\u{ffff}]+)*(?:\.(?:[a-z\u{00a1}-\u{ffff}]{2,})))(?::\d{2,5})?(?:\/[^\s]*)?$/iu,
      email: /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i,
      hostname: /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[-0-9a-z]{0,61}[0-9a-z])?)*\.?$/i,
      // optimized https://www.safaribooksonline.com/library/view/regular-expressions-cookbook/9780596802837/ch07s16.html
      ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/,
      ipv6: /^((([0-9a-f]{1,4}:){7}([0-9a-f]{1,4}|:))|(([0-9a-f]{1,4}:){6}(:[0-9a-f]{1,4}|((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){5}(((:[0-9a-f]{1,4}){1,2})|:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})|:))|(([0-9a-f]{1,4}:){4}(((:[0-9a-f]{1,4}){1,3})|((:[0-9a-f]{1,4})?:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){3}(((:[0-9a-f]{1,4}){1,4})|((:[0-9a-f]{1,4}){0,2}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){2}(((:[0-9a-f]{1,4}){1,5})|((:[0-9a-f]{1,4}){0,3}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(([0-9a-f]{1,4}:){1}(((:[0-9a-f]{1,4}){1,6})|((:[0-9a-f]{1,4}){0,4}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:))|(:(((:[0-9a-f]{1,4}){1,7})|((:[0-9a-f]{1,4}){0,5}:((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}))|:)))$/i,
      regex,
      // uuid: http://tools.ietf.org/html/rfc4122
      uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
      // JSON-pointer: https://tools.ietf.org/html/rfc6901
      // uri fragment: https://tools.ietf.org/html/rfc3986#appendix-A
      "json-pointer": /^(?:\/(?:[^~/]|~0|~1)*)*$/,
      "json-pointer-uri-fragment": /^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i,
      // relative JSON-pointer: http://tools.ietf.org/html/draft-luff-relative-json-pointer-00
      "relative-json-pointer": /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/,
      // the following formats are used by the openapi specification: https://spec.openapis.org/oas/v3.0.0#data-types
      // byte: https://github.com/miguelmota/is-base64
      byte,
      // signed 32 bit integer
      int32: { type: "number", validate: validateInt32 },
      // signed 64 bit integer
      int64: { type: "number", validate: validateInt64 },
      // C-type float
      float: { type: "number", validate: validateNumber },
      // C-type double
      double: { type: "number", validate: validateNumber },
      // hint to the UI to hide input strings
      password: true,
      // unchecked string payload
      binary: true
    };
    exports.fastFormats = {
      ...exports.fullFormats,
      date: fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\d$/, compareDate),
      time: fmtDef(/^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i, compareTime),
      "date-time": fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\dt(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)$/i, compareDateTime),
      "iso-time": fmtDef(/^(?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i, compareIsoTime),
      "iso-date-time": fmtDef(/^\d\d\d\d-[0-1]\d-[0-3]\d[t\s](?:[0-2]\d:[0-5]\d:[0-5]\d|23:59:60)(?:\.\d+)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i, compareIsoDateTime),
      // uri: https://github.com/mafintosh/is-my-json-valid/blob/master/formats.js
      uri: /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/)?[^\s]*$/i,
      "uri-reference": /^(?:(?:[a-z][a-z0-9+\-.]*:)?\/?\/)?(?:[^\\\s#][^\s#]*)?(?:#[^\\\s]*)?$/i,
      // email (sources from jsen validator):
      // http://stackoverflow.com/questions/201323/using-a-regular-expression-to-validate-an-email-address#answer-8829363
      // http://www.w3.org/TR/html5/forms.html#valid-e-mail-address (search for 'wilful violation')
      email: /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
    };
    exports.formatNames = Object.keys(exports.fullFormats);
    function isLeapYear(year) {
      return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    }
    var DATE = /^(\d\d\d\d)-(\d\d)-(\d\d)$/;
    var DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    function date(str) {
      const matches = DATE.exec(str);
      if (!matches)
        return false;
      const year = +matches[1];
      const month = +matches[2];
      const day = +matches[3];
      return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && isLeapYear(year) ? 29 : DAYS[month]);
    }
    function compareDate(d1, d2) {
      if (!(d1 && d2))
        return void 0;
      if (d1 > d2)
        return 1;
      if (d1 < d2)
        return -1;
      return 0;
    }
    var TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i;
    function getTime(strictTimeZone) {
      return function time(str) {
        const matches = TIME.exec(str);
        if (!matches)
          return false;
        const hr = +matches[1];
        const min = +matches[2];
        const sec = +matches[3];
        const tz = matches[4];
        const tzSign = matches[5] === "-" ? -1 : 1;
        const tzH = +(matches[6] || 0);
        const tzM = +(matches[7] || 0);
        if (tzH > 23 || tzM > 59 || strictTimeZone && !tz)
          return false;
        if (hr <= 23 && min <= 59 && sec < 60)
          return true;
        const utcMin = min - tzM * tzSign;
        const utcHr = hr - tzH * tzSign - (utcMin < 0 ? 1 : 0);
        return (utcHr === 23 || utcHr === -1) && (utcMin === 59 || utcMin === -1) && sec < 61;
      };
    }
    function compareTime(s1, s2) {
      if (!(s1 && s2))
        return void 0;
      const t1 = (/* @__PURE__ */ new Date("2020-01-01T" + s1)).valueOf();
      const t2 = (/* @__PURE__ */ new Date("2020-01-01T" + s2)).valueOf();
      if (!(t1 && t2))
        return void 0;
      return t1 - t2;
    }
    function compareIsoTime(t1, t2) {
      if (!(t1 && t2))
        return void 0;
      const a1 = TIME.exec(t1);
      const a2 = TIME.exec(t2);
      if (!(a1 && a2))
        return void 0;
      t1 = a1[1] + a1[2] + a1[3];
      t2 = a2[1] + a2[2] + a2[3];
      if (t1 > t2)
        return 1;
      if (t1 < t2)
        return -1;
      return 0;
    }
    var DATE_TIME_SEPARATOR = /t|\s/i;
    function getDateTime(strictTimeZone) {
      const time = getTime(strictTimeZone);
      return function date_time(str) {
        const dateTime = str.split(DATE_TIME_SEPARATOR);
        return dateTime.length === 2 && date(dateTime[0]) && time(dateTime[1]);
      };
    }
    function compareDateTime(dt1, dt2) {
      if (!(dt1 && dt2))
        return void 0;
      const d1 = new Date(dt1).valueOf();
      const d2 = new Date(dt2).valueOf();
      if (!(d1 && d2))
        return void 0;
      return d1 - d2;
    }
    function compareIsoDateTime(dt1, dt2) {
      if (!(dt1 && dt2))
        return void 0;
      const [d1, t1] = dt1.split(DATE_TIME_SEPARATOR);
      const [d2, t2] = dt2.split(DATE_TIME_SEPARATOR);
      const res = compareDate(d1, d2);
      if (res === void 0)
        return void 0;
      return res || compareTime(t1, t2);
    }
    var NOT_URI_FRAGMENT = /\/|:/;
    var URI = /^(?:[a-z][a-z0-9+\-.]*:)(?:\/?\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?(?:\[(?:(?:(?:(?:[0-9a-f]{1,4}:){6}|::(?:[0-9a-f]{1,4}:){5}|(?:[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){4}|(?:(?:[0-9a-f]{1,4}:){0,1}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){3}|(?:(?:[0-9a-f]{1,4}:){0,2}[0-9a-f]{1,4})?::(?:[0-9a-f]{1,4}:){2}|(?:(?:[0-9a-f]{1,4}:){0,3}[0-9a-f]{1,4})?::[0-9a-f]{1,4}:|(?:(?:[0-9a-f]{1,4}:){0,4}[0-9a-f]{1,4})?::)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?))|(?:(?:[0-9a-f]{1,4}:){0,5}[0-9a-f]{1,4})?::[0-9a-f]{1,4}|(?:(?:[0-9a-f]{1,4}:){0,6}[0-9a-f]{1,4})?::)|[Vv][0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]|(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)|(?:[a-z0-9\-._~!$&'()*+,;=]|%[0-9a-f]{2})*)(?::\d*)?(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*|\/(?:(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)?|(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})+(?:\/(?:[a-z0-9\-._~!$&'()*+,;=:@]|%[0-9a-f]{2})*)*)(?:\?(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[a-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;
    function uri(str) {
      return NOT_URI_FRAGMENT.test(str) && URI.test(str);
    }
    var BYTE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/gm;
    function byte(str) {
      BYTE.lastIndex = 0;
      return BYTE.test(str);
    }
    var MIN_INT32 = -(2 ** 31);
    var MAX_INT32 = 2 ** 31 - 1;
    function validateInt32(value) {
      return Number.isInteger(value) && value <= MAX_INT32 && value >= MIN_INT32;
    }
    function validateInt64(value) {
      return Number.isInteger(value);
    }
    function validateNumber() {
      return true;
    }
    var Z_ANCHOR = /[^\\]\\Z/;
    function regex(str) {
      if (Z_ANCHOR.test(str))
        return false;
      try {
        new RegExp(str);
        return true;
      } catch (e) {
        return false;
      }
    }
  }
});

// node_modules/ajv/dist/runtime/ucs2length.js
var require_ucs2length = __commonJS({
  "node_modules/ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
    ucs2length.code = 'require("ajv/dist/runtime/ucs2length").default';
  }
});

// core/manifest/fields.ts
var validateManifest = validate20;
var schema31 = { "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Package manifest app2host/1", "type": "object", "properties": { "schema": { "description": "The format of the package.", "type": "string", "const": "app2host/1" }, "package_id": { "description": "Leave it out: the relay assigns each package an id.", "type": "string", "pattern": "^[A-Za-z0-9._-]{1,100}$" }, "created_at": { "description": "When the app made the package. Only logged.", "type": "string", "format": "date-time" }, "title": { "description": "Names the scene, as `<title> (<source.app>)`, and the folder of the files on disk.", "type": "string", "maxLength": 60 }, "source": { "description": "The app that made the package.", "type": "object", "properties": { "app": { "description": "The app's name, added to scene and tracks: leave it out of `title` and `name`.", "type": "string", "maxLength": 40 }, "app_version": { "description": "Only logged.", "type": "string", "maxLength": 40 }, "platform": { "description": "Such as `web` or `android`. Only logged.", "type": "string", "maxLength": 40 } }, "additionalProperties": false }, "tempo": { "description": "The tempo that the loops share.", "type": "object", "properties": { "bpm": { "description": "The tempo of every loop without a `bpm` of its own.", "type": "number", "minimum": 20, "maximum": 999 }, "time_signature": { "description": "Such as `[3, 4]`. Read, not used yet.", "type": "array", "prefixItems": [{ "type": "integer", "minimum": 1 }, { "type": "integer", "minimum": 1 }], "items": false, "minItems": 2 } }, "additionalProperties": false }, "items": { "description": "The sounds; each becomes one audio track. Together at most 209715200 bytes (200 MB).", "type": "array", "minItems": 1, "maxItems": 32, "items": { "type": "object", "properties": { "file": { "description": "The name to upload it under. The file on disk is named after `name`.", "type": "string", "maxLength": 100, "pattern": "^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\\.[Ww][Aa][Vv]$" }, "bytes": { "description": "The exact size of the file.", "type": "integer", "minimum": 1, "maximum": 209715200 }, "sha256": { "description": "The SHA-256 of the file. Stored in lower case.", "type": "string", "pattern": "^[0-9A-Fa-f]{64}$" }, "id": { "description": "The app's own id for the sound. Its result has the same id.", "type": "string", "minLength": 1, "maxLength": 100, "pattern": "^\\P{Cs}*$" }, "name": { "description": "Names the track, as `<name> (<source.app>)`, the clip and the file on disk.", "type": "string", "maxLength": 40, "pattern": "^[\\p{L}\\p{M}\\p{Nd} _\\-().'&+#!]*$" }, "kind": { "description": "A `loop` is warped to the tempo and looped; a `oneshot` plays unwarped. Set it for every loop.", "enum": ["loop", "oneshot"] }, "role": { "description": "Sets the warp mode of a loop. Has no effect on a one-shot.", "enum": ["drums", "bass", "melodic", "vocal", "texture", "fx"] }, "bpm": { "description": "The tempo of this loop, if it differs from `tempo.bpm`.", "type": "number", "minimum": 20, "maximum": 999 }, "length_beats": { "description": "The length of the loop in beats.", "type": "number", "exclusiveMinimum": 0, "maximum": 4096 }, "warp_mode": { "description": "The warp mode, instead of the one for the `role`. Stored as a name.", "enum": ["beats", "tones", "texture", "repitch", "complex", "complex_pro", 0, 1, 2, 3, 4, 6] }, "color": { "description": "The color of track and clip; the host uses the closest one it has. Stored as `#RRGGBB`.", "type": "string", "pattern": "^#?[0-9A-Fa-f]{6}$" }, "gain_db": { "description": "The clip's gain in dB.", "type": "number", "minimum": -70, "maximum": 24 } }, "required": ["file", "bytes", "sha256"], "additionalProperties": false, "if": { "properties": { "kind": { "const": "loop" } }, "required": ["kind"] }, "else": { "properties": { "bpm": false, "length_beats": false, "warp_mode": false } } } }, "midi": { "description": "Reserved for future use.", "type": "array" } }, "required": ["schema", "items"], "additionalProperties": false };
var pattern4 = new RegExp("^[A-Za-z0-9._-]{1,100}$", "u");
var pattern5 = new RegExp("^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\\.[Ww][Aa][Vv]$", "u");
var pattern6 = new RegExp("^[0-9A-Fa-f]{64}$", "u");
var pattern7 = new RegExp("^\\P{Cs}*$", "u");
var pattern8 = new RegExp("^[\\p{L}\\p{M}\\p{Nd} _\\-().'&+#!]*$", "u");
var pattern9 = new RegExp("^#?[0-9A-Fa-f]{6}$", "u");
var formats0 = require_formats().fullFormats["date-time"];
var func1 = require_ucs2length().default;
var func5 = Object.prototype.hasOwnProperty;
function validate20(data, { instancePath = "", parentData, parentDataProperty, rootData = data, dynamicAnchors = {} } = {}) {
  let vErrors = null;
  let errors = 0;
  const evaluated0 = validate20.evaluated;
  if (evaluated0.dynamicProps) {
    evaluated0.props = void 0;
  }
  if (evaluated0.dynamicItems) {
    evaluated0.items = void 0;
  }
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.schema === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "schema" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.items === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "items" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "schema" || key0 === "package_id" || key0 === "created_at" || key0 === "title" || key0 === "source" || key0 === "tempo" || key0 === "items" || key0 === "midi")) {
        const err2 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err2];
        } else {
          vErrors.push(err2);
        }
        errors++;
      }
    }
    if (data.schema !== void 0) {
      let data0 = data.schema;
      if (typeof data0 !== "string") {
        const err3 = { instancePath: instancePath + "/schema", schemaPath: "#/properties/schema/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err3];
        } else {
          vErrors.push(err3);
        }
        errors++;
      }
      if ("app2host/1" !== data0) {
        const err4 = { instancePath: instancePath + "/schema", schemaPath: "#/properties/schema/const", keyword: "const", params: { allowedValue: "app2host/1" } };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.package_id !== void 0) {
      let data1 = data.package_id;
      if (typeof data1 === "string") {
        if (!pattern4.test(data1)) {
          const err5 = { instancePath: instancePath + "/package_id", schemaPath: "#/properties/package_id/pattern", keyword: "pattern", params: { pattern: "^[A-Za-z0-9._-]{1,100}$" } };
          if (vErrors === null) {
            vErrors = [err5];
          } else {
            vErrors.push(err5);
          }
          errors++;
        }
      } else {
        const err6 = { instancePath: instancePath + "/package_id", schemaPath: "#/properties/package_id/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.created_at !== void 0) {
      let data2 = data.created_at;
      if (typeof data2 === "string") {
        if (!formats0.validate(data2)) {
          const err7 = { instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/format", keyword: "format", params: { format: "date-time" } };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
      } else {
        const err8 = { instancePath: instancePath + "/created_at", schemaPath: "#/properties/created_at/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err8];
        } else {
          vErrors.push(err8);
        }
        errors++;
      }
    }
    if (data.title !== void 0) {
      let data3 = data.title;
      if (typeof data3 === "string") {
        if (func1(data3) > 60) {
          const err9 = { instancePath: instancePath + "/title", schemaPath: "#/properties/title/maxLength", keyword: "maxLength", params: { limit: 60 } };
          if (vErrors === null) {
            vErrors = [err9];
          } else {
            vErrors.push(err9);
          }
          errors++;
        }
      } else {
        const err10 = { instancePath: instancePath + "/title", schemaPath: "#/properties/title/type", keyword: "type", params: { type: "string" } };
        if (vErrors === null) {
          vErrors = [err10];
        } else {
          vErrors.push(err10);
        }
        errors++;
      }
    }
    if (data.source !== void 0) {
      let data4 = data.source;
      if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
        for (const key1 in data4) {
          if (!(key1 === "app" || key1 === "app_version" || key1 === "platform")) {
            const err11 = { instancePath: instancePath + "/source", schemaPath: "#/properties/source/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err11];
            } else {
              vErrors.push(err11);
            }
            errors++;
          }
        }
        if (data4.app !== void 0) {
          let data5 = data4.app;
          if (typeof data5 === "string") {
            if (func1(data5) > 40) {
              const err12 = { instancePath: instancePath + "/source/app", schemaPath: "#/properties/source/properties/app/maxLength", keyword: "maxLength", params: { limit: 40 } };
              if (vErrors === null) {
                vErrors = [err12];
              } else {
                vErrors.push(err12);
              }
              errors++;
            }
          } else {
            const err13 = { instancePath: instancePath + "/source/app", schemaPath: "#/properties/source/properties/app/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err13];
            } else {
              vErrors.push(err13);
            }
            errors++;
          }
        }
        if (data4.app_version !== void 0) {
          let data6 = data4.app_version;
          if (typeof data6 === "string") {
            if (func1(data6) > 40) {
              const err14 = { instancePath: instancePath + "/source/app_version", schemaPath: "#/properties/source/properties/app_version/maxLength", keyword: "maxLength", params: { limit: 40 } };
              if (vErrors === null) {
                vErrors = [err14];
              } else {
                vErrors.push(err14);
              }
              errors++;
            }
          } else {
            const err15 = { instancePath: instancePath + "/source/app_version", schemaPath: "#/properties/source/properties/app_version/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err15];
            } else {
              vErrors.push(err15);
            }
            errors++;
          }
        }
        if (data4.platform !== void 0) {
          let data7 = data4.platform;
          if (typeof data7 === "string") {
            if (func1(data7) > 40) {
              const err16 = { instancePath: instancePath + "/source/platform", schemaPath: "#/properties/source/properties/platform/maxLength", keyword: "maxLength", params: { limit: 40 } };
              if (vErrors === null) {
                vErrors = [err16];
              } else {
                vErrors.push(err16);
              }
              errors++;
            }
          } else {
            const err17 = { instancePath: instancePath + "/source/platform", schemaPath: "#/properties/source/properties/platform/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
      } else {
        const err18 = { instancePath: instancePath + "/source", schemaPath: "#/properties/source/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err18];
        } else {
          vErrors.push(err18);
        }
        errors++;
      }
    }
    if (data.tempo !== void 0) {
      let data8 = data.tempo;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
        for (const key2 in data8) {
          if (!(key2 === "bpm" || key2 === "time_signature")) {
            const err19 = { instancePath: instancePath + "/tempo", schemaPath: "#/properties/tempo/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key2 } };
            if (vErrors === null) {
              vErrors = [err19];
            } else {
              vErrors.push(err19);
            }
            errors++;
          }
        }
        if (data8.bpm !== void 0) {
          let data9 = data8.bpm;
          if (typeof data9 == "number" && isFinite(data9)) {
            if (data9 > 999 || isNaN(data9)) {
              const err20 = { instancePath: instancePath + "/tempo/bpm", schemaPath: "#/properties/tempo/properties/bpm/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999 } };
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
            if (data9 < 20 || isNaN(data9)) {
              const err21 = { instancePath: instancePath + "/tempo/bpm", schemaPath: "#/properties/tempo/properties/bpm/minimum", keyword: "minimum", params: { comparison: ">=", limit: 20 } };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
          } else {
            const err22 = { instancePath: instancePath + "/tempo/bpm", schemaPath: "#/properties/tempo/properties/bpm/type", keyword: "type", params: { type: "number" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
        if (data8.time_signature !== void 0) {
          let data10 = data8.time_signature;
          if (Array.isArray(data10)) {
            if (data10.length < 2) {
              const err23 = { instancePath: instancePath + "/tempo/time_signature", schemaPath: "#/properties/tempo/properties/time_signature/minItems", keyword: "minItems", params: { limit: 2 } };
              if (vErrors === null) {
                vErrors = [err23];
              } else {
                vErrors.push(err23);
              }
              errors++;
            }
            const len0 = data10.length;
            if (len0 > 0) {
              let data11 = data10[0];
              if (!(typeof data11 == "number" && (!(data11 % 1) && !isNaN(data11)) && isFinite(data11))) {
                const err24 = { instancePath: instancePath + "/tempo/time_signature/0", schemaPath: "#/properties/tempo/properties/time_signature/prefixItems/0/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err24];
                } else {
                  vErrors.push(err24);
                }
                errors++;
              }
              if (typeof data11 == "number" && isFinite(data11)) {
                if (data11 < 1 || isNaN(data11)) {
                  const err25 = { instancePath: instancePath + "/tempo/time_signature/0", schemaPath: "#/properties/tempo/properties/time_signature/prefixItems/0/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err25];
                  } else {
                    vErrors.push(err25);
                  }
                  errors++;
                }
              }
            }
            if (len0 > 1) {
              let data12 = data10[1];
              if (!(typeof data12 == "number" && (!(data12 % 1) && !isNaN(data12)) && isFinite(data12))) {
                const err26 = { instancePath: instancePath + "/tempo/time_signature/1", schemaPath: "#/properties/tempo/properties/time_signature/prefixItems/1/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err26];
                } else {
                  vErrors.push(err26);
                }
                errors++;
              }
              if (typeof data12 == "number" && isFinite(data12)) {
                if (data12 < 1 || isNaN(data12)) {
                  const err27 = { instancePath: instancePath + "/tempo/time_signature/1", schemaPath: "#/properties/tempo/properties/time_signature/prefixItems/1/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              }
            }
            const len1 = data10.length;
            if (!(len1 <= 2)) {
              const err28 = { instancePath: instancePath + "/tempo/time_signature", schemaPath: "#/properties/tempo/properties/time_signature/items", keyword: "items", params: { limit: 2 } };
              if (vErrors === null) {
                vErrors = [err28];
              } else {
                vErrors.push(err28);
              }
              errors++;
            }
          } else {
            const err29 = { instancePath: instancePath + "/tempo/time_signature", schemaPath: "#/properties/tempo/properties/time_signature/type", keyword: "type", params: { type: "array" } };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = { instancePath: instancePath + "/tempo", schemaPath: "#/properties/tempo/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.items !== void 0) {
      let data13 = data.items;
      if (Array.isArray(data13)) {
        if (data13.length > 32) {
          const err31 = { instancePath: instancePath + "/items", schemaPath: "#/properties/items/maxItems", keyword: "maxItems", params: { limit: 32 } };
          if (vErrors === null) {
            vErrors = [err31];
          } else {
            vErrors.push(err31);
          }
          errors++;
        }
        if (data13.length < 1) {
          const err32 = { instancePath: instancePath + "/items", schemaPath: "#/properties/items/minItems", keyword: "minItems", params: { limit: 1 } };
          if (vErrors === null) {
            vErrors = [err32];
          } else {
            vErrors.push(err32);
          }
          errors++;
        }
        const len2 = data13.length;
        for (let i0 = 0; i0 < len2; i0++) {
          let data14 = data13[i0];
          const _errs34 = errors;
          let valid6 = true;
          const _errs35 = errors;
          if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
            let missing0;
            if (data14.kind === void 0 && (missing0 = "kind")) {
              const err33 = {};
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            } else {
              if (data14.kind !== void 0) {
                if ("loop" !== data14.kind) {
                  const err34 = {};
                  if (vErrors === null) {
                    vErrors = [err34];
                  } else {
                    vErrors.push(err34);
                  }
                  errors++;
                }
              }
            }
          }
          var _valid0 = _errs35 === errors;
          errors = _errs34;
          if (vErrors !== null) {
            if (_errs34) {
              vErrors.length = _errs34;
            } else {
              vErrors = null;
            }
          }
          if (!_valid0) {
            const _errs37 = errors;
            if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
              if (data14.bpm !== void 0) {
                const err35 = { instancePath: instancePath + "/items/" + i0 + "/bpm", schemaPath: "#/properties/items/items/else/properties/bpm/false schema", keyword: "false schema", params: {} };
                if (vErrors === null) {
                  vErrors = [err35];
                } else {
                  vErrors.push(err35);
                }
                errors++;
              }
              if (data14.length_beats !== void 0) {
                const err36 = { instancePath: instancePath + "/items/" + i0 + "/length_beats", schemaPath: "#/properties/items/items/else/properties/length_beats/false schema", keyword: "false schema", params: {} };
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
              if (data14.warp_mode !== void 0) {
                const err37 = { instancePath: instancePath + "/items/" + i0 + "/warp_mode", schemaPath: "#/properties/items/items/else/properties/warp_mode/false schema", keyword: "false schema", params: {} };
                if (vErrors === null) {
                  vErrors = [err37];
                } else {
                  vErrors.push(err37);
                }
                errors++;
              }
            }
            var _valid0 = _errs37 === errors;
            valid6 = _valid0;
            if (valid6) {
              var props0 = {};
              props0.bpm = true;
              props0.length_beats = true;
              props0.warp_mode = true;
              props0.kind = true;
            }
          }
          if (!valid6) {
            const err38 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err38];
            } else {
              vErrors.push(err38);
            }
            errors++;
          }
          if (data14 && typeof data14 == "object" && !Array.isArray(data14)) {
            if (data14.file === void 0) {
              const err39 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/required", keyword: "required", params: { missingProperty: "file" } };
              if (vErrors === null) {
                vErrors = [err39];
              } else {
                vErrors.push(err39);
              }
              errors++;
            }
            if (data14.bytes === void 0) {
              const err40 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/required", keyword: "required", params: { missingProperty: "bytes" } };
              if (vErrors === null) {
                vErrors = [err40];
              } else {
                vErrors.push(err40);
              }
              errors++;
            }
            if (data14.sha256 === void 0) {
              const err41 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/required", keyword: "required", params: { missingProperty: "sha256" } };
              if (vErrors === null) {
                vErrors = [err41];
              } else {
                vErrors.push(err41);
              }
              errors++;
            }
            for (const key3 in data14) {
              if (!func5.call(schema31.properties.items.items.properties, key3)) {
                const err42 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key3 } };
                if (vErrors === null) {
                  vErrors = [err42];
                } else {
                  vErrors.push(err42);
                }
                errors++;
              }
            }
            if (data14.file !== void 0) {
              let data19 = data14.file;
              if (typeof data19 === "string") {
                if (func1(data19) > 100) {
                  const err43 = { instancePath: instancePath + "/items/" + i0 + "/file", schemaPath: "#/properties/items/items/properties/file/maxLength", keyword: "maxLength", params: { limit: 100 } };
                  if (vErrors === null) {
                    vErrors = [err43];
                  } else {
                    vErrors.push(err43);
                  }
                  errors++;
                }
                if (!pattern5.test(data19)) {
                  const err44 = { instancePath: instancePath + "/items/" + i0 + "/file", schemaPath: "#/properties/items/items/properties/file/pattern", keyword: "pattern", params: { pattern: "^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\\.[Ww][Aa][Vv]$" } };
                  if (vErrors === null) {
                    vErrors = [err44];
                  } else {
                    vErrors.push(err44);
                  }
                  errors++;
                }
              } else {
                const err45 = { instancePath: instancePath + "/items/" + i0 + "/file", schemaPath: "#/properties/items/items/properties/file/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err45];
                } else {
                  vErrors.push(err45);
                }
                errors++;
              }
            }
            if (data14.bytes !== void 0) {
              let data20 = data14.bytes;
              if (!(typeof data20 == "number" && (!(data20 % 1) && !isNaN(data20)) && isFinite(data20))) {
                const err46 = { instancePath: instancePath + "/items/" + i0 + "/bytes", schemaPath: "#/properties/items/items/properties/bytes/type", keyword: "type", params: { type: "integer" } };
                if (vErrors === null) {
                  vErrors = [err46];
                } else {
                  vErrors.push(err46);
                }
                errors++;
              }
              if (typeof data20 == "number" && isFinite(data20)) {
                if (data20 > 209715200 || isNaN(data20)) {
                  const err47 = { instancePath: instancePath + "/items/" + i0 + "/bytes", schemaPath: "#/properties/items/items/properties/bytes/maximum", keyword: "maximum", params: { comparison: "<=", limit: 209715200 } };
                  if (vErrors === null) {
                    vErrors = [err47];
                  } else {
                    vErrors.push(err47);
                  }
                  errors++;
                }
                if (data20 < 1 || isNaN(data20)) {
                  const err48 = { instancePath: instancePath + "/items/" + i0 + "/bytes", schemaPath: "#/properties/items/items/properties/bytes/minimum", keyword: "minimum", params: { comparison: ">=", limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err48];
                  } else {
                    vErrors.push(err48);
                  }
                  errors++;
                }
              }
            }
            if (data14.sha256 !== void 0) {
              let data21 = data14.sha256;
              if (typeof data21 === "string") {
                if (!pattern6.test(data21)) {
                  const err49 = { instancePath: instancePath + "/items/" + i0 + "/sha256", schemaPath: "#/properties/items/items/properties/sha256/pattern", keyword: "pattern", params: { pattern: "^[0-9A-Fa-f]{64}$" } };
                  if (vErrors === null) {
                    vErrors = [err49];
                  } else {
                    vErrors.push(err49);
                  }
                  errors++;
                }
              } else {
                const err50 = { instancePath: instancePath + "/items/" + i0 + "/sha256", schemaPath: "#/properties/items/items/properties/sha256/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err50];
                } else {
                  vErrors.push(err50);
                }
                errors++;
              }
            }
            if (data14.id !== void 0) {
              let data22 = data14.id;
              if (typeof data22 === "string") {
                if (func1(data22) > 100) {
                  const err51 = { instancePath: instancePath + "/items/" + i0 + "/id", schemaPath: "#/properties/items/items/properties/id/maxLength", keyword: "maxLength", params: { limit: 100 } };
                  if (vErrors === null) {
                    vErrors = [err51];
                  } else {
                    vErrors.push(err51);
                  }
                  errors++;
                }
                if (func1(data22) < 1) {
                  const err52 = { instancePath: instancePath + "/items/" + i0 + "/id", schemaPath: "#/properties/items/items/properties/id/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err52];
                  } else {
                    vErrors.push(err52);
                  }
                  errors++;
                }
                if (!pattern7.test(data22)) {
                  const err53 = { instancePath: instancePath + "/items/" + i0 + "/id", schemaPath: "#/properties/items/items/properties/id/pattern", keyword: "pattern", params: { pattern: "^\\P{Cs}*$" } };
                  if (vErrors === null) {
                    vErrors = [err53];
                  } else {
                    vErrors.push(err53);
                  }
                  errors++;
                }
              } else {
                const err54 = { instancePath: instancePath + "/items/" + i0 + "/id", schemaPath: "#/properties/items/items/properties/id/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err54];
                } else {
                  vErrors.push(err54);
                }
                errors++;
              }
            }
            if (data14.name !== void 0) {
              let data23 = data14.name;
              if (typeof data23 === "string") {
                if (func1(data23) > 40) {
                  const err55 = { instancePath: instancePath + "/items/" + i0 + "/name", schemaPath: "#/properties/items/items/properties/name/maxLength", keyword: "maxLength", params: { limit: 40 } };
                  if (vErrors === null) {
                    vErrors = [err55];
                  } else {
                    vErrors.push(err55);
                  }
                  errors++;
                }
                if (!pattern8.test(data23)) {
                  const err56 = { instancePath: instancePath + "/items/" + i0 + "/name", schemaPath: "#/properties/items/items/properties/name/pattern", keyword: "pattern", params: { pattern: "^[\\p{L}\\p{M}\\p{Nd} _\\-().'&+#!]*$" } };
                  if (vErrors === null) {
                    vErrors = [err56];
                  } else {
                    vErrors.push(err56);
                  }
                  errors++;
                }
              } else {
                const err57 = { instancePath: instancePath + "/items/" + i0 + "/name", schemaPath: "#/properties/items/items/properties/name/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err57];
                } else {
                  vErrors.push(err57);
                }
                errors++;
              }
            }
            if (data14.kind !== void 0) {
              let data24 = data14.kind;
              if (!(data24 === "loop" || data24 === "oneshot")) {
                const err58 = { instancePath: instancePath + "/items/" + i0 + "/kind", schemaPath: "#/properties/items/items/properties/kind/enum", keyword: "enum", params: { allowedValues: schema31.properties.items.items.properties.kind.enum } };
                if (vErrors === null) {
                  vErrors = [err58];
                } else {
                  vErrors.push(err58);
                }
                errors++;
              }
            }
            if (data14.role !== void 0) {
              let data25 = data14.role;
              if (!(data25 === "drums" || data25 === "bass" || data25 === "melodic" || data25 === "vocal" || data25 === "texture" || data25 === "fx")) {
                const err59 = { instancePath: instancePath + "/items/" + i0 + "/role", schemaPath: "#/properties/items/items/properties/role/enum", keyword: "enum", params: { allowedValues: schema31.properties.items.items.properties.role.enum } };
                if (vErrors === null) {
                  vErrors = [err59];
                } else {
                  vErrors.push(err59);
                }
                errors++;
              }
            }
            if (data14.bpm !== void 0) {
              let data26 = data14.bpm;
              if (typeof data26 == "number" && isFinite(data26)) {
                if (data26 > 999 || isNaN(data26)) {
                  const err60 = { instancePath: instancePath + "/items/" + i0 + "/bpm", schemaPath: "#/properties/items/items/properties/bpm/maximum", keyword: "maximum", params: { comparison: "<=", limit: 999 } };
                  if (vErrors === null) {
                    vErrors = [err60];
                  } else {
                    vErrors.push(err60);
                  }
                  errors++;
                }
                if (data26 < 20 || isNaN(data26)) {
                  const err61 = { instancePath: instancePath + "/items/" + i0 + "/bpm", schemaPath: "#/properties/items/items/properties/bpm/minimum", keyword: "minimum", params: { comparison: ">=", limit: 20 } };
                  if (vErrors === null) {
                    vErrors = [err61];
                  } else {
                    vErrors.push(err61);
                  }
                  errors++;
                }
              } else {
                const err62 = { instancePath: instancePath + "/items/" + i0 + "/bpm", schemaPath: "#/properties/items/items/properties/bpm/type", keyword: "type", params: { type: "number" } };
                if (vErrors === null) {
                  vErrors = [err62];
                } else {
                  vErrors.push(err62);
                }
                errors++;
              }
            }
            if (data14.length_beats !== void 0) {
              let data27 = data14.length_beats;
              if (typeof data27 == "number" && isFinite(data27)) {
                if (data27 > 4096 || isNaN(data27)) {
                  const err63 = { instancePath: instancePath + "/items/" + i0 + "/length_beats", schemaPath: "#/properties/items/items/properties/length_beats/maximum", keyword: "maximum", params: { comparison: "<=", limit: 4096 } };
                  if (vErrors === null) {
                    vErrors = [err63];
                  } else {
                    vErrors.push(err63);
                  }
                  errors++;
                }
                if (data27 <= 0 || isNaN(data27)) {
                  const err64 = { instancePath: instancePath + "/items/" + i0 + "/length_beats", schemaPath: "#/properties/items/items/properties/length_beats/exclusiveMinimum", keyword: "exclusiveMinimum", params: { comparison: ">", limit: 0 } };
                  if (vErrors === null) {
                    vErrors = [err64];
                  } else {
                    vErrors.push(err64);
                  }
                  errors++;
                }
              } else {
                const err65 = { instancePath: instancePath + "/items/" + i0 + "/length_beats", schemaPath: "#/properties/items/items/properties/length_beats/type", keyword: "type", params: { type: "number" } };
                if (vErrors === null) {
                  vErrors = [err65];
                } else {
                  vErrors.push(err65);
                }
                errors++;
              }
            }
            if (data14.warp_mode !== void 0) {
              let data28 = data14.warp_mode;
              if (!(data28 === "beats" || data28 === "tones" || data28 === "texture" || data28 === "repitch" || data28 === "complex" || data28 === "complex_pro" || data28 === 0 || data28 === 1 || data28 === 2 || data28 === 3 || data28 === 4 || data28 === 6)) {
                const err66 = { instancePath: instancePath + "/items/" + i0 + "/warp_mode", schemaPath: "#/properties/items/items/properties/warp_mode/enum", keyword: "enum", params: { allowedValues: schema31.properties.items.items.properties.warp_mode.enum } };
                if (vErrors === null) {
                  vErrors = [err66];
                } else {
                  vErrors.push(err66);
                }
                errors++;
              }
            }
            if (data14.color !== void 0) {
              let data29 = data14.color;
              if (typeof data29 === "string") {
                if (!pattern9.test(data29)) {
                  const err67 = { instancePath: instancePath + "/items/" + i0 + "/color", schemaPath: "#/properties/items/items/properties/color/pattern", keyword: "pattern", params: { pattern: "^#?[0-9A-Fa-f]{6}$" } };
                  if (vErrors === null) {
                    vErrors = [err67];
                  } else {
                    vErrors.push(err67);
                  }
                  errors++;
                }
              } else {
                const err68 = { instancePath: instancePath + "/items/" + i0 + "/color", schemaPath: "#/properties/items/items/properties/color/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err68];
                } else {
                  vErrors.push(err68);
                }
                errors++;
              }
            }
            if (data14.gain_db !== void 0) {
              let data30 = data14.gain_db;
              if (typeof data30 == "number" && isFinite(data30)) {
                if (data30 > 24 || isNaN(data30)) {
                  const err69 = { instancePath: instancePath + "/items/" + i0 + "/gain_db", schemaPath: "#/properties/items/items/properties/gain_db/maximum", keyword: "maximum", params: { comparison: "<=", limit: 24 } };
                  if (vErrors === null) {
                    vErrors = [err69];
                  } else {
                    vErrors.push(err69);
                  }
                  errors++;
                }
                if (data30 < -70 || isNaN(data30)) {
                  const err70 = { instancePath: instancePath + "/items/" + i0 + "/gain_db", schemaPath: "#/properties/items/items/properties/gain_db/minimum", keyword: "minimum", params: { comparison: ">=", limit: -70 } };
                  if (vErrors === null) {
                    vErrors = [err70];
                  } else {
                    vErrors.push(err70);
                  }
                  errors++;
                }
              } else {
                const err71 = { instancePath: instancePath + "/items/" + i0 + "/gain_db", schemaPath: "#/properties/items/items/properties/gain_db/type", keyword: "type", params: { type: "number" } };
                if (vErrors === null) {
                  vErrors = [err71];
                } else {
                  vErrors.push(err71);
                }
                errors++;
              }
            }
          } else {
            const err72 = { instancePath: instancePath + "/items/" + i0, schemaPath: "#/properties/items/items/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err72];
            } else {
              vErrors.push(err72);
            }
            errors++;
          }
        }
      } else {
        const err73 = { instancePath: instancePath + "/items", schemaPath: "#/properties/items/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err73];
        } else {
          vErrors.push(err73);
        }
        errors++;
      }
    }
    if (data.midi !== void 0) {
      if (!Array.isArray(data.midi)) {
        const err74 = { instancePath: instancePath + "/midi", schemaPath: "#/properties/midi/type", keyword: "type", params: { type: "array" } };
        if (vErrors === null) {
          vErrors = [err74];
        } else {
          vErrors.push(err74);
        }
        errors++;
      }
    }
  } else {
    const err75 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err75];
    } else {
      vErrors.push(err75);
    }
    errors++;
  }
  validate20.errors = vErrors;
  return errors === 0;
}
validate20.evaluated = { "props": true, "dynamicProps": false, "dynamicItems": false };
export {
  validateManifest
};
