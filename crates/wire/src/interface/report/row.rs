//! Rows of reports: cells under the names of columns.

use alloc::borrow::Cow;
use alloc::string::String;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};

use super::day::{Day, Moment};
use crate::interface::amount::{self, Amount, Currency};
use crate::interface::words::{Closed, Word};

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// Text, of the service or of somebody else.
    Text(&'a str),
    /// A whole number.
    Whole(i64),
    /// A number with two decimals.
    Decimal(Amount),
    /// A day.
    Day(Day),
    /// A time.
    Moment(Moment),
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Empty => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Whole(number) => serializer.serialize_i64(*number),
            Self::Decimal(amount) => amount::as_number(amount, serializer),
            Self::Day(day) => serializer.collect_str(day),
            Self::Moment(moment) => serializer.collect_str(moment),
        }
    }
}

/// A row of a report.
pub trait Row {
    /// The names of its columns.
    type Column: Copy + 'static;

    /// All of them, in their order.
    const COLUMNS: &'static [Self::Column];

    /// What a column is called.
    fn name(column: Self::Column) -> &'static str;

    /// What stands in a column.
    fn cell(&self, column: Self::Column) -> Cell<'_>;
}

/// A row with some of its columns: as JSON, an object of these.
#[derive(Debug)]
pub struct Chosen<'a, R: Row> {
    /// The row.
    pub row: &'a R,
    /// The columns.
    pub columns: &'a [R::Column],
}

impl<R: Row> Serialize for Chosen<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Row", self.columns.len())?;
        for column in self.columns {
            object.serialize_field(R::name(*column), &self.row.cell(*column))?;
        }
        object.end()
    }
}

/// Makes a row, the list of its columns, and the way from one to the other.
macro_rules! row {
    (
        $(#[$doc:meta])* $row:ident;
        $(#[doc = $doc_of_columns:literal])+ $columns:ident;
        $($(#[doc = $about:literal])+ $variant:ident = $name:literal => $field:ident: $type:ty,)+
    ) => {
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(expecting = "an object")]
        $(#[$doc])*
        pub struct $row {
            $($(#[doc = $about])+ pub $field: $type,)+
        }

        $crate::interface::words::closed! {
            $(#[doc = $doc_of_columns])+
            $columns { $($(#[doc = $about])+ $variant = $name,)+ }
        }

        impl $crate::interface::report::row::Row for $row {
            type Column = $columns;

            const COLUMNS: &'static [$columns] = $columns::ALL;

            fn name(column: $columns) -> &'static str {
                column.as_str()
            }

            fn cell(&self, column: $columns) -> $crate::interface::report::row::Cell<'_> {
                match column {
                    $($columns::$variant => (&self.$field).into(),)+
                }
            }
        }

        impl serde::Serialize for $row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let columns = $columns::ALL;
                $crate::interface::report::row::Chosen { row: self, columns }.serialize(serializer)
            }
        }
    };
}

/// The same for a report whose columns can be chosen, with a type of the cells that there are.
macro_rules! cells {
    (
        $(#[$doc:meta])* $row:ident;
        $(#[doc = $doc_of_columns:literal])+ $columns:ident;
        $(#[$doc_of_cells:meta])* $cells:ident;
        $($(#[doc = $about:literal])+ $variant:ident = $name:literal => $field:ident: $type:ty,)+
    ) => {
        $crate::interface::report::row::row! {
            $(#[$doc])* $row;
            $(#[doc = $doc_of_columns])+ $columns;
            $($(#[doc = $about])+ $variant = $name => $field: $type,)+
        }

        #[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
        #[serde(default, expecting = "an object")]
        $(#[$doc_of_cells])*
        pub struct $cells {
            $(
                $(#[doc = $about])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )+
        }
    };
}

pub(crate) use {cells, row};

/// An amount that is written as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Decimal(pub Amount);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        amount::as_number(&self.0, serializer)
    }
}

impl JsonSchema for Decimal {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        amount::Number::json_schema(generator)
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Currency> for Cell<'a> {
    fn from(currency: &'a Currency) -> Self {
        Self::Text(currency.as_str())
    }
}

impl<'a, W: Closed> From<&'a Word<W>> for Cell<'a> {
    fn from(word: &'a Word<W>) -> Self {
        Self::Text(word.as_str())
    }
}

impl From<&u32> for Cell<'_> {
    fn from(number: &u32) -> Self {
        Self::Whole((*number).into())
    }
}

impl From<&i64> for Cell<'_> {
    fn from(number: &i64) -> Self {
        Self::Whole(*number)
    }
}

impl From<&Decimal> for Cell<'_> {
    fn from(amount: &Decimal) -> Self {
        Self::Decimal(amount.0)
    }
}

impl From<&Day> for Cell<'_> {
    fn from(day: &Day) -> Self {
        Self::Day(*day)
    }
}

impl From<&Moment> for Cell<'_> {
    fn from(moment: &Moment) -> Self {
        Self::Moment(*moment)
    }
}

impl<'a, T> From<&'a Option<T>> for Cell<'a>
where
    Self: From<&'a T>,
{
    fn from(value: &'a Option<T>) -> Self {
        value.as_ref().map_or(Self::Empty, Into::into)
    }
}
